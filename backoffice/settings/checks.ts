import { contrast, leastContrast } from '@tenant-payments/contract/core/contrast.ts';
import { maximumCents } from '@tenant-payments/contract/core/money.ts';
import { ownValue } from '@tenant-payments/contract/core/own_value.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { ProductionRuleName } from '@tenant-payments/contract/sandbox/production_rules.ts';
import { type ApiError, fail } from '@tenant-payments/engine/fail.ts';
import type { Environment, Obey } from '@tenant-payments/engine/production.ts';
import { isLocalName, isLoopback } from '@tenant-payments/service/webhooks/send/address.ts';

/** Why a setting of valid shape is refused. */
interface Fault {
  readonly param: string;
  readonly details: { readonly reason: string; readonly [fact: string]: unknown };
}

/** At most one rule for each kind; a payer pays no fee in a pay by bank payment (rules/payments#12). */
function feesFault(fees: Settings['fees']): Fault | null {
  const known = new Set<string>();
  for (const { type, payment_type, source, paid_by } of fees) {
    const key = `${type} ${payment_type} ${source}`;
    if (known.has(key))
      return { param: 'fees', details: { reason: 'two_rules', type, payment_type, source } };
    if (source === 'bank_account' && paid_by === 'payer')
      return { param: 'fees', details: { reason: 'payer_under_bank' } };
    known.add(key);
  }
  return null;
}

/** Amounts above the maximum would not compare exactly. */
function limitsFault(limits: Settings['limits']): Fault | null {
  for (const [limit, values] of Object.entries(limits))
    for (const [type, cents] of Object.entries(values))
      if (cents !== null && cents > maximumCents)
        return {
          param: `limits.${limit}.${type}`,
          details: { reason: 'above_maximum', maximum: maximumCents },
        };
  return null;
}

/** An address that a browser may open: https, and in the sandbox http on this machine. */
function isWeb({ protocol, hostname }: URL, environment: Environment): boolean {
  if (protocol === 'https:') return true;
  const host = hostname.replace(/^\[|\]$/g, '');
  return (
    protocol === 'http:' && environment === 'sandbox' && (isLocalName(host) || isLoopback(host))
  );
}

/** An app's scheme is a reversed domain (RFC 8252, 7.1), so not `javascript:` or `file:`. */
const appScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/** Checks an address that customers return to: a page of the Tenant, or its app. */
function returnFault(text: string, environment: Environment): string | null {
  if (!URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (!isWeb(url, environment) && !appScheme.test(url.protocol)) return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  // The result is put into the fragment, as in OAuth (RFC 6749, 3.1.2).
  return url.hash === '' && !text.endsWith('#') ? null : 'fragment';
}

/** Checks a source of `frame-ancestors`: an origin exactly as browsers write it, no wildcard. */
function originFault(text: string, environment: Environment): string | null {
  if (!URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (!isWeb(url, environment)) return 'scheme';
  return url.origin === text && /^[a-z0-9.-]+$/.test(url.hostname) ? null : 'not_an_origin';
}

function pictureFault(text: string, environment: Environment): string | null {
  if (!URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (!isWeb(url, environment)) return 'scheme';
  return url.username === '' && url.password === '' ? null : 'credentials';
}

type AddressFault = typeof returnFault;

const eachOf =
  (param: keyof Settings, faultOf: AddressFault) =>
  (texts: readonly string[], environment: Environment): Fault | null => {
    for (const [index, text] of texts.entries()) {
      const reason = faultOf(text, environment);
      if (reason !== null) return { param, details: { reason, index } };
    }
    return null;
  };

/** A permission names its ground, and nothing else does. */
function usesFault(uses: Settings['request_uses']): Fault | null {
  for (const [use, { networks, agreement }] of Object.entries(uses)) {
    const param = `request_uses.${use}.agreement`;
    if (networks.length > 0 && agreement === null)
      return { param, details: { reason: 'agreement_missing' } };
    if (networks.length === 0 && agreement !== null)
      return { param, details: { reason: 'nothing_permitted' } };
  }
  return null;
}

/** A key names one industry; what a business has chosen is stored by it. */
function industriesFault(industries: Settings['industries'] = []): Fault | null {
  const keys = industries.map(({ key }) => key);
  const index = keys.findIndex((key, at) => keys.indexOf(key) !== at);
  if (index < 0) return null;
  return { param: 'industries', details: { reason: 'two_of_a_key', index, key: keys[index] } };
}

const white = '#ffffff';

/** The hosted pages show the color on white, and white on the color (WCAG 2.2, 1.4.3). */
function colorFault(color: string): Fault | null {
  const found = contrast(color, white);
  if (found >= leastContrast) return null;
  const facts = { contrast: Math.floor(found * 100) / 100, minimum: leastContrast };
  return { param: 'branding.primary_color', details: { reason: 'unreadable', ...facts } };
}

function brandingFault(
  { logo_url, primary_color }: Settings['branding'],
  environment: Environment,
): Fault | null {
  const reason = logo_url === null ? null : pictureFault(logo_url, environment);
  if (reason !== null) return { param: 'branding.logo_url', details: { reason } };
  return colorFault(primary_color);
}

const returnAddress =
  "https://host/path, in the sandbox also http on this machine, or an app's reversed domain such as com.example.shop:/done; no user, no fragment";

/** The expected form of an address, by `param`. */
const expected = {
  return_urls: returnAddress,
  link_redirect_uris: returnAddress,
  frame_origins:
    'https://host[:port] in lower case, in the sandbox also http on this machine; no path, no slash at its end, no default port, no wildcard',
  'branding.logo_url': 'https://host/path, in the sandbox also http on this machine; no user',
} as const;

/** Checks beyond the schema, in its order. */
const rules: {
  readonly [K in keyof Settings]?: (value: Settings[K], environment: Environment) => Fault | null;
} = {
  return_urls: eachOf('return_urls', returnFault),
  frame_origins: eachOf('frame_origins', originFault),
  link_redirect_uris: eachOf('link_redirect_uris', returnFault),
  request_uses: usesFault,
  fees: feesFault,
  limits: limitsFault,
  branding: brandingFault,
  industries: industriesFault,
};

function faultOf<K extends keyof Settings>(
  key: K,
  changes: Partial<Settings>,
  environment: Environment,
): Fault | null {
  const value = changes[key];
  return value === undefined ? null : (rules[key]?.(value as Settings[K], environment) ?? null);
}

function refusalOf({ param, details }: Fault): ApiError {
  const right = ownValue(expected, param);
  return fail('parameter_invalid', {
    param,
    details: right === undefined ? details : { ...details, expected: right },
    message: `${param} is not valid: ${details.reason}${right === undefined ? '' : `; expected: ${right}`}`,
  });
}

/** The settings that may name this machine in a sandbox, with the rule by which production refuses it. */
const local: Partial<Readonly<Record<keyof Settings, ProductionRuleName>>> = {
  return_urls: 'local_return_urls',
  frame_origins: 'local_frame_origins',
  link_redirect_uris: 'local_link_redirect_uris',
  branding: 'local_logo',
};

/** @throws ApiError parameter_invalid, `param`: the setting that is refused */
export function checkSettings(changes: Partial<Settings>, obey: Obey): void {
  for (const key of Object.keys(rules) as (keyof Settings)[]) {
    const refusal = (environment: Environment) => {
      const fault = faultOf(key, changes, environment);
      return fault && refusalOf(fault);
    };
    const rule = local[key];
    if (rule) {
      obey(rule, refusal);
      continue;
    }
    const refused = refusal('production');
    if (refused) throw refused;
  }
}
