import type { AdapterGiven, AdapterParts } from '@tenant-payments/service/rails/adapter.ts';
import type { Message, Messages } from '@tenant-payments/service/rails/messages.ts';
import type {
  CheckLine,
  Provider,
  RailObjects,
} from '@tenant-payments/service/rails/providers/provider.ts';
import { callbackOf, readCallback } from './callback.ts';
import { faultOf, openClient } from './client.ts';
import { pollMessages } from './poll.ts';
import { tokensOf } from './settings.ts';

/** Twilio takes no other ones. */
const validity = { shortest: 1, longest: 36_000 };
const pollSeconds = 900;

/** How long it may try: a code that is no good any more is not delivered. */
function validityOf({ expiresAt }: Message, nowMs: number): number | null {
  if (expiresAt === null) return null;
  const seconds = Math.floor((Date.parse(expiresAt) - nowMs) / 1_000);
  return Math.min(Math.max(seconds, validity.shortest), validity.longest);
}

type Client = ReturnType<typeof openClient>;

async function check(client: Client, accountSid: string): Promise<readonly CheckLine[]> {
  try {
    const { status, type } = await client.api.v2010.accounts(accountSid).fetch();
    const isActive = status === 'active';
    return [
      {
        ok: isActive,
        what: `is signed in to an account that is ${status} (${type})`,
        advice: isActive ? null : 'open the account again in the console of Twilio',
      },
    ];
  } catch (error) {
    const { message } = faultOf(error);
    return [
      {
        ok: false,
        what: 'is not signed in',
        advice: `${message}; see TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN, which must not be test credentials`,
      },
    ];
  }
}

export function open({ values, receiveAt }: AdapterGiven): AdapterParts {
  const { TWILIO_ACCOUNT_SID = '', TWILIO_MESSAGING_SERVICE_SID: messagingServiceSid } = values;
  const tokens = tokensOf(values.TWILIO_AUTH_TOKEN ?? '');
  const client = openClient(TWILIO_ACCOUNT_SID, tokens[0] ?? '', values.TWILIO_API_URL);
  const at = receiveAt('twilio');
  let objects: RailObjects | null = null;

  const sms: Messages = {
    can: { mail: false, text: true },
    async send(message, call) {
      call?.signal.throwIfAborted();
      const { id, tenantId, to, rendered } = message;
      const validityPeriod = validityOf(message, Date.now());
      const { sid } = await client.messages
        .create({
          to: 'mobile_number' in to ? to.mobile_number : '',
          ...(messagingServiceSid && { messagingServiceSid }),
          body: rendered.short,
          statusCallback: callbackOf(at, tenantId, id),
          ...(validityPeriod !== null && { validityPeriod }),
        })
        .catch((error: unknown) => {
          throw faultOf(error);
        });
      // The message was sent: without this row only the poll does not find it, and its callback names it too.
      const object = { kind: 'message', key: sid, tenantId, record: id, value: null };
      await objects?.put(object).catch(() => {});
      return { providerId: sid };
    },
  };

  const provider: Provider = {
    name: 'twilio',
    open(given) {
      objects = given.objects;
    },
    check: () => check(client, TWILIO_ACCOUNT_SID),
    receive: async (request) => readCallback(request, { at, tokens }),
    poll: {
      everySeconds: pollSeconds,
      run: (cursor, context) => pollMessages(client, cursor, context),
    },
  };
  return { sms, providers: [provider] };
}
