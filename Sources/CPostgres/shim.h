#pragma once
#include <libpq-fe.h>
#include <pthread.h>

// The fields of an error report: character macros, which Swift cannot see.
static const int CPostgres_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int CPostgres_sqlState = PG_DIAG_SQLSTATE;
static const int CPostgres_message = PG_DIAG_MESSAGE_PRIMARY;
static const int CPostgres_detail = PG_DIAG_MESSAGE_DETAIL;
static const int CPostgres_constraint = PG_DIAG_CONSTRAINT_NAME;
static const int CPostgres_table = PG_DIAG_TABLE_NAME;
static const int CPostgres_column = PG_DIAG_COLUMN_NAME;
static const int CPostgres_sourceFunction = PG_DIAG_SOURCE_FUNCTION;

// Declared by <pthread.h> only with _GNU_SOURCE, which Swift does not define.
extern int pthread_setname_np(pthread_t thread, const char *name);
static inline void CPostgres_nameCurrentThread(const char *name) {
    (void)pthread_setname_np(pthread_self(), name);
}
