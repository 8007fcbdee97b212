/** The words that the portal shows for an attempt without a complete answer (rules/webhooks#18). */

const words: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'address_refused',
  ANSWER_TOO_LARGE: 'answer_too_large',
  ERR_INVALID_URL: 'invalid_address',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EBADNAME: 'name_not_found',
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  EREFUSED: 'name_not_answered',
  ESERVFAIL: 'name_not_answered',
  ETIMEOUT: 'name_not_answered',
  ETIMEDOUT: 'timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate_not_trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate_not_trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate_not_trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate_not_trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate_not_trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate_of_another_name',
};

/** Families of codes, by their beginning. */
const families: readonly [string, string][] = [
  ['HPE_', 'malformed_answer'],
  ['ERR_SSL_', 'tls_failed'],
  ['ERR_TLS_', 'tls_failed'],
  ['EPROTO', 'tls_failed'],
];

/** The word for a failure; its own code in lower case when it has none here. */
export function errorWord(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== 'string') return 'failed';
  const family = families.find(([start]) => code.startsWith(start));
  return words[code] ?? family?.[1] ?? code.toLowerCase();
}
