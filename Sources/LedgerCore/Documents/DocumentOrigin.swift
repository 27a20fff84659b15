/// What a document says about where it comes from: the values that verification compares with the configuration
/// (PROTOCOL.md section 1.7).
///
/// A value that the document doesn't state is nil.
package struct DocumentOrigin: Hashable, Sendable {
    package var bundleID: BundleID?
    /// The App Store's number of the app; checked only in Production.
    package var appAppleID: Int64?
    package var environment: Open<StoreEnvironment>?

    package init(bundleID: BundleID? = nil, appAppleID: Int64? = nil, environment: Open<StoreEnvironment>? = nil) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environment = environment
    }
}

extension NotificationDocument {
    /// Taken from the first part that is present: `data`, else `summary`, else `externalPurchaseToken`, else `appData`.
    package var origin: DocumentOrigin {
        if let data {
            DocumentOrigin(bundleID: data.bundleID, appAppleID: data.appAppleID, environment: data.environment)
        } else if let summary {
            DocumentOrigin(bundleID: summary.bundleID, appAppleID: summary.appAppleID, environment: summary.environment)
        } else if let externalPurchaseToken {
            DocumentOrigin(
                bundleID: externalPurchaseToken.bundleID,
                appAppleID: externalPurchaseToken.appAppleID,
                environment: externalPurchaseToken.environment
            )
        } else if let appData {
            DocumentOrigin(bundleID: appData.bundleID, appAppleID: appData.appAppleID, environment: appData.environment)
        } else {
            DocumentOrigin()
        }
    }
}

extension ExternalPurchaseToken {
    /// The environment, which only the token's beginning tells; nil without a token.
    package var environment: Open<StoreEnvironment>? {
        externalPurchaseID.map { .known($0.hasPrefix("SANDBOX") ? .sandbox : .production) }
    }
}

extension TransactionDocument {
    /// The transaction names no app number.
    package var origin: DocumentOrigin { DocumentOrigin(bundleID: bundleID, environment: environment) }
}

extension RenewalInfoDocument {
    /// The renewal info names no app.
    package var origin: DocumentOrigin { DocumentOrigin(environment: environment) }
}

extension AppTransactionDocument {
    /// The environment is the member `receiptType`.
    package var origin: DocumentOrigin {
        DocumentOrigin(bundleID: bundleID, appAppleID: appAppleID, environment: environment)
    }
}

extension RealtimeRequestDocument {
    /// The request names no bundle.
    package var origin: DocumentOrigin { DocumentOrigin(appAppleID: appAppleID, environment: environment) }
}
