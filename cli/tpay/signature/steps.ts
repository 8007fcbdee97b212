import { WebhookVerificationError, webhooks } from '@tenant-payments/sdk-server';

/** One step of the check, in the order in which a receiver makes them. */
export interface Step {
  readonly step: string;
  readonly ok: boolean;
  readonly says: string;
}

interface Given {
  readonly header: string;
  readonly body: string;
  readonly secrets: readonly string[];
  readonly toleranceSeconds: number;
  readonly now: Date;
}

/** The changes that receivers most often make to a body or a secret, undone. */
const slips: readonly {
  readonly says: string;
  readonly body?: (text: string) => string;
  readonly secret?: (text: string) => string;
}[] = [
  {
    says: 'the body has a line end that was not signed',
    body: (text) => text.replace(/\r?\n$/, ''),
  },
  { says: 'the line end of the body was taken off', body: (text) => `${text}\n` },
  { says: 'line ends of the body were changed', body: (text) => text.replaceAll('\r\n', '\n') },
  {
    says: 'the body was parsed and written again: verify the raw bytes',
    body: (text) => JSON.stringify(JSON.parse(text)),
  },
  { says: 'the secret has spaces around it', secret: (text) => text.trim() },
  {
    says: 'the secret lacks its prefix whsec_, which is part of the key',
    secret: (text) => `whsec_${text}`,
  },
];

const isRight = ({
  header,
  body,
  secrets,
}: Pick<Given, 'header' | 'body' | 'secrets'>): boolean => {
  const seconds = Number(/t=(\d+)/.exec(header)?.[1] ?? 0);
  const now = () => new Date(seconds * 1_000);
  try {
    webhooks.unwrap(body, { 'service-signature': header }, { secrets, now });
    return true;
  } catch (error) {
    // A right signature of a body that is no event.
    return error instanceof WebhookVerificationError && error.reason === 'body_not_json';
  }
};

function slipOf({ header, body, secrets }: Given): string | null {
  for (const { says, body: changed, secret } of slips) {
    try {
      const other = {
        header,
        body: changed?.(body) ?? body,
        secrets: secret ? secrets.map(secret) : secrets,
      };
      if (isRight(other)) return says;
    } catch {
      // The body is no JSON: this was not it.
    }
  }
  return null;
}

const wrong = 'no v1 item matches: a wrong or retired secret, or another body';

function timeStep({ header, toleranceSeconds, now }: Given): Step {
  const seconds = Number(/t=(\d+)/.exec(header)?.[1] ?? 0);
  const age = Math.round(now.getTime() / 1_000) - seconds;
  const ok = Math.abs(age) <= toleranceSeconds;
  const far = age < 0 ? `${-age} s ahead of this clock` : `${age} s old`;
  const advice =
    age < 0
      ? 'correct this clock'
      : 'verify before queueing, or take --tolerance to look at an old one';
  return {
    step: 'time',
    ok,
    says: ok ? far : `${far}, more than ${toleranceSeconds} s: ${advice}`,
  };
}

function signatureStep(given: Given): Step {
  const matching = given.secrets.findIndex((secret) => isRight({ ...given, secrets: [secret] }));
  if (matching >= 0) {
    const which = given.secrets.length > 1 ? `secret ${matching + 1}` : 'the secret';
    return { step: 'signature', ok: true, says: `${which} made it` };
  }
  return { step: 'signature', ok: false, says: slipOf(given) ?? wrong };
}

function eventStep({ body }: Given): Step {
  try {
    const { object, type, id } = JSON.parse(body) as Record<string, unknown>;
    if (object === 'event') return { step: 'event', ok: true, says: `${type} ${id}` };
    return { step: 'event', ok: false, says: 'JSON, but no event' };
  } catch {
    return { step: 'event', ok: false, says: 'not JSON' };
  }
}

/** Every step, also those behind one that fails, as far as the header can be read (rules/tpay#18). */
export function stepsOf(given: Given): Step[] {
  const form = /^t=\d{1,12}(,v1=[0-9a-f]{64})+$/i.test(given.header.replaceAll(/,\s+/g, ','));
  const header: Step = {
    step: 'header',
    ok: form,
    says: form
      ? 'of the form t=…,v1=…'
      : 'not of the form t=<unix seconds>,v1=<64 hex digits>: paste it unchanged',
  };
  return form ? [header, timeStep(given), signatureStep(given), eventStep(given)] : [header];
}
