import type { ErrorCode } from '../core/errors.ts';

/** A call that a sandbox takes and production refuses (rules/sandbox#46). */
export interface ProductionRule {
  /**
   * The maker of the call. A sandbox that answers as production refuses the caller's own; of the outside it only says
   * so.
   */
  readonly by: 'caller' | 'outside';
  /** The call, as the docs name it. */
  readonly call: string;
  /** The refusal of production: its `code` and `param`. */
  readonly code: ErrorCode;
  readonly param: string | null;
}

const rule = (
  by: ProductionRule['by'],
  call: string,
  code: ErrorCode,
  param: string | null = null,
): ProductionRule => ({ by, call, code, param });

/** Each call that production refuses and a sandbox takes. Production, the switch and the header all go by it. */
export const productionRules = {
  access_token: rule(
    'caller',
    "the portal's JSON with a Tenant's access token",
    'authentication_required',
  ),
  program_key: rule(
    'caller',
    "the portal's JSON with an API key that an access token made",
    'authentication_required',
  ),
  sandbox_operation: rule(
    'outside',
    "an operation of the portal's JSON that only a sandbox has: clock, chaos, sample events, simulate",
    'sandbox_only',
  ),
  simulate: rule('outside', '`POST /v1/sandbox/simulate/{event}`', 'sandbox_only'),
  test_result_token: rule(
    'caller',
    '`POST /v1/sessions/exchange` with `rt_test_…`',
    'result_token_invalid',
    'result_token',
  ),
  local_return_url: rule(
    'caller',
    '`POST /v1/sessions` with a `return_url` that is `http` on this machine',
    'session_invalid',
    'return_url',
  ),
  local_redirect_uri: rule(
    'caller',
    'a link token with a `redirect_uri` that is `http` on this machine',
    'parameter_invalid',
    'redirect_uri',
  ),
  local_webhook_url: rule(
    'caller',
    'a webhook endpoint on this machine',
    'parameter_invalid',
    'url',
  ),
  local_return_urls: rule(
    'caller',
    'the setting `return_urls` with `http` on this machine',
    'parameter_invalid',
    'return_urls',
  ),
  local_frame_origins: rule(
    'caller',
    'the setting `frame_origins` with `http` on this machine',
    'parameter_invalid',
    'frame_origins',
  ),
  local_link_redirect_uris: rule(
    'caller',
    'the setting `link_redirect_uris` with `http` on this machine',
    'parameter_invalid',
    'link_redirect_uris',
  ),
  local_logo: rule(
    'caller',
    'the setting `branding` with a logo that is `http` on this machine',
    'parameter_invalid',
    'branding.logo_url',
  ),
  local_issuer: rule(
    'caller',
    'single sign-on with a provider on this machine',
    'parameter_invalid',
    'issuer',
  ),
} as const satisfies Record<string, ProductionRule>;

export type ProductionRuleName = keyof typeof productionRules;

/** The header of a reply that production would not have given. */
export const refusedHeader = 'Refused-In-Production';

/** The refusal in one line, for the header and the logs: `parameter_invalid; param="url"; reason="scheme"`. */
export function refusalLine(refusal: {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}): string {
  const { code, param, details } = refusal;
  const facts = { param, reason: details?.reason };
  const said = Object.entries(facts).filter(([, value]) => typeof value === 'string');
  return [code, ...said.map(([name, value]) => `${name}="${value}"`)].join('; ');
}
