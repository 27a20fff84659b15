extension Catalog {
    /// The catalog as JSON that ``init(json:)`` reads: products by name, members that say something new.
    ///
    /// Equal catalogs have equal bytes, however their files are laid out.
    package var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: 256 + 96 * products.count)
        json.beginObject()
        json.name("products")
        json.beginObject()
        for (id, product) in products.sorted(by: { $0.key < $1.key }) {
            json.name(escaping: id.rawValue)
            json.beginObject()
            json.memberIfPresent("entitlement", product.entitlement)
            json.memberIfPresent("level", product.level)
            json.memberIfPresent("duration", product.duration?.description)
            json.memberIfPresent("unit", product.unit)
            json.member("units", product.units)
            json.member("rounding", product.rounding.rawValue)
            json.endObject()
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
