#pragma once

// The low-level SHA-256 and ECDSA functions are used on purpose: the state of a digest can be copied by assignment, and
// verification takes the key without the provider layer's allocations (measured in Benchmarks/VerifyBench).
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Variadic and macro functions, which Swift does not see.

/// A new key on the named curve ("P-256", "P-384"), or NULL. The caller frees it.
static inline EVP_PKEY *_Nullable COpenSSL_EVP_EC_gen(const char *_Nonnull curve) {
    return EVP_EC_gen(curve);
}

/// The bytes that a memory BIO holds; they stay the BIO's.
static inline long COpenSSL_BIO_get_mem_data(BIO *_Nonnull bio, char *_Nullable *_Nonnull data) {
    return BIO_get_mem_data(bio, data);
}
