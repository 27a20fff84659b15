/// Which slots of a cache depend on which tag.
///
/// Links in one array instead of a set for each tag: 24 bytes a link, and nothing to allocate when one comes or goes.
struct TagIndex {
    private struct Link {
        var tag: AnswerTag
        var slot: Int32
        /// The next link of the same tag, and of the same slot; ``none`` at the end.
        var nextOfTag: Int32
        var nextOfSlot: Int32
    }

    /// No link.
    static let none: Int32 = -1

    private var links: [Link] = []
    private var firstOfTag: [AnswerTag: Int32] = [:]
    /// Links that are not used, chained by `nextOfSlot`.
    private var firstFree = Self.none

    /// Notes that a slot depends on these tags.
    /// - Returns: the first link, which ``remove(from:)`` takes.
    mutating func add(_ tags: Set<AnswerTag>, slot: Int) -> Int32 {
        var first = Self.none
        for tag in tags {
            let link = Link(
                tag: tag,
                slot: Int32(slot),
                nextOfTag: firstOfTag[tag] ?? Self.none,
                nextOfSlot: first
            )
            first = place(link)
            firstOfTag[tag] = first
        }
        return first
    }

    private mutating func place(_ link: Link) -> Int32 {
        guard firstFree != Self.none else {
            links.append(link)
            return Int32(links.count - 1)
        }
        let index = firstFree
        firstFree = links[Int(index)].nextOfSlot
        links[Int(index)] = link
        return index
    }

    /// Forgets a slot.
    mutating func remove(from first: Int32) {
        var index = first
        while index != Self.none {
            let next = links[Int(index)].nextOfSlot
            unlink(index)
            links[Int(index)].nextOfSlot = firstFree
            firstFree = index
            index = next
        }
    }

    /// Takes a link out of the chain of its tag, which nearly always has one or two.
    private mutating func unlink(_ index: Int32) {
        let link = links[Int(index)]
        guard var before = firstOfTag[link.tag], before != index else {
            firstOfTag[link.tag] = link.nextOfTag == Self.none ? nil : link.nextOfTag
            return
        }
        while links[Int(before)].nextOfTag != index { before = links[Int(before)].nextOfTag }
        links[Int(before)].nextOfTag = link.nextOfTag
    }

    /// The slots that depend on a tag.
    func slots(of tag: AnswerTag) -> [Int] {
        var slots: [Int] = []
        var index = firstOfTag[tag] ?? Self.none
        while index != Self.none {
            slots.append(Int(links[Int(index)].slot))
            index = links[Int(index)].nextOfTag
        }
        return slots
    }
}
