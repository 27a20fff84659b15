import Foundation
import JWS
import LedgerCore
import StoreSimulator
import Testing

/// One case from the field, as its file tells it (the files are copies of the public cases, see their README).
struct FieldCase: Sendable {
    /// A question and the members of the answer that are checked.
    struct Question: Sendable {
        var key: String
        var value: String
        var at: Instant
        var environment: StoreEnvironment
        var expect: JSONValue
    }

    let id: String
    let environments: [StoreEnvironment]
    let steps: [JSONValue]
    let orders: [[Int]]
    let questions: [Question]

    /// The folder of the files, beside the tests.
    private static let folder = Bundle.module.bundleURL.appending(path: "Cases")

    /// The names of all cases, without their ending.
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }()

    init(named name: String) throws {
        let data = try Data(contentsOf: Self.folder.appending(path: name + ".json"))
        let file = try JSONReader.value(of: Array(data))
        id = try #require(file["id"]?.text)
        let environments = file["config"]?["environments"]?.items.compactMap { $0.text.flatMap(StoreEnvironment.init) }
        self.environments = environments ?? [.production]
        steps = try #require(file["given"]?.items)
        orders =
            file["orders"]?.items.map { $0.items.compactMap { $0.integer.map(Int.init) } } ?? [Array(steps.indices)]
        let first = try #require(self.environments.first)
        var questions = [try Question(file, defaultEnvironment: first)]
        for other in file["also"]?.items ?? [] { questions.append(try Question(other, defaultEnvironment: first)) }
        self.questions = questions
    }

    /// The steps of an order with the instants they are received at: the k-th gets the k-th smallest.
    func delivery(_ order: Int) -> [(step: JSONValue, receivedAt: Instant)] {
        let instants = steps.map(Self.receivedAt).sorted()
        return zip(orders[order].map { steps[$0] }, instants).map { ($0, $1) }
    }

    private static func receivedAt(_ step: JSONValue) -> Instant {
        let own = step["receivedAt"]?.integer
        let inner = step["steps"]?.items.compactMap { $0["receivedAt"]?.integer }.max()
        return Instant(milliseconds: own ?? inner ?? 0)
    }
}

extension FieldCase.Question {
    fileprivate init(_ json: JSONValue, defaultEnvironment: StoreEnvironment) throws {
        let query = try #require(json["query"])
        key = try #require(query["key"]?.text)
        value = try #require(query["value"]?.text)
        at = Instant(milliseconds: try #require(query["at"]?.integer))
        environment = query["environment"]?.text.flatMap(StoreEnvironment.init) ?? defaultEnvironment
        expect = try #require(json["expect"])
    }

    /// As it stands in a request, without `at`.
    var query: String { "\(key)=\(value)&environment=\(environment.rawValue)" }
}

extension Tampering {
    /// The `tamper` member of a step.
    init?(_ step: JSONValue) throws {
        guard let tamper = step["tamper"] else { return nil }
        self = try JSONDecoder().decode(Tampering.self, from: Data(tamper.bytes))
    }
}
