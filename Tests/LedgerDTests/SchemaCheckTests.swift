import LedgerCore
import Testing

/// That the tests' check of schemas finds what does not fit.
struct SchemaCheckTests {
    private static let document: JSONValue = [
        "schemas": [
            "Name": ["type": "string", "pattern": "^[a-z]+$"], "Alias": ["$ref": "#/schemas/Name"],
            "Thing": [
                "type": "object", "required": ["name"], "additionalProperties": false,
                "properties": [
                    "name": ["$ref": "#/schemas/Alias"],
                    "size": ["type": ["integer", "null"], "minimum": 1, "maximum": 9],
                    "tags": ["type": "array", "maxItems": 2, "items": ["enum": ["a", "b"]]],
                    "other": ["anyOf": [["$ref": "#/schemas/Name"], ["type": "boolean"]]],
                    "key": ["type": "object", "minProperties": 1, "maxProperties": 1],
                ],
            ],
        ]
    ]

    private static func findings(_ text: String) throws -> [String] {
        try SchemaCheck(document).findings(JSONReader.value(of: Array(text.utf8)), ["$ref": "#/schemas/Thing"])
    }

    @Test(arguments: [
        #"{"name":"x"}"#, #"{"name":"x","size":9,"tags":["a","b"],"other":true,"key":{"a":1}}"#,
        #"{"name":"x","size":null,"tags":[],"other":"y"}"#,
    ])
    func `what fits has no finding`(_ text: String) throws {
        #expect(try Self.findings(text).isEmpty)
    }

    @Test(arguments: [
        ("5", "$: type does not hold"), ("{}", "$: name is missing"),
        (#"{"name":"x","more":1}"#, "$: more is not described"),
        (#"{"name":"X"}"#, "$.name: pattern does not hold"), (#"{"name":null}"#, "$.name: type does not hold"),
        (#"{"name":"x","size":0}"#, "$.size: minimum does not hold"),
        (#"{"name":"x","size":10}"#, "$.size: maximum does not hold"),
        (#"{"name":"x","size":1.5}"#, "$.size: type does not hold"),
        (#"{"name":"x","tags":["a","c"]}"#, "$.tags[1]: enum does not hold"),
        (#"{"name":"x","tags":["a","a","a"]}"#, "$.tags: maxItems does not hold"),
        (#"{"name":"x","other":1}"#, "$.other: anyOf does not hold"),
        (#"{"name":"x","key":{}}"#, "$.key: minProperties does not hold"),
        (#"{"name":"x","key":{"a":1,"b":1}}"#, "$.key: maxProperties does not hold"),
    ])
    func `what does not fit is named with its place`(_ text: String, _ finding: String) throws {
        #expect(try Self.findings(text) == [finding])
    }

    @Test func `a keyword that is not known, and a reference to nothing, are findings`() {
        let check = SchemaCheck(Self.document)
        #expect(check.findings(1, ["multipleOf": 2]) == ["$: the keyword multipleOf is not known"])
        #expect(check.findings(1, ["$ref": "#/schemas/None"]) == ["$: no schema"])
    }
}
