import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import formats from 'ajv-formats';
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend';
import twilio from 'twilio';

/**
 * Twilio's side by its published schema: what it is asked and what it answers are both held to it, and it remembers its
 * messages. It reports what becomes of them when a test says so.
 */

const definition = JSON.parse(
  readFileSync(new URL('openapi.json', import.meta.url), 'utf8'),
) as Document;

export const account = {
  sid: `AC${'a1'.repeat(16)}`,
  token: 'b2'.repeat(16),
  service: `MG${'c3'.repeat(16)}`,
};

interface Sms {
  readonly sid: string;
  readonly to: string;
  readonly body: string;
  readonly callback: string;
  readonly validity: number | null;
  at: Date;
  status: string;
  errorCode: number | null;
}

const rfc2822 = (at: Date) => at.toUTCString().replace('GMT', '+0000');
const uri = (sid: string) => `/2010-04-01/Accounts/${account.sid}/Messages/${sid}.json`;

const shown = ({ sid, to, body, status, errorCode, at }: Sms) => ({
  account_sid: account.sid,
  api_version: '2010-04-01',
  body,
  date_created: rfc2822(at),
  date_sent: rfc2822(at),
  date_updated: rfc2822(at),
  direction: 'outbound-api',
  error_code: errorCode,
  error_message: null,
  from: null,
  messaging_service_sid: account.service,
  num_media: '0',
  num_segments: '1',
  price: null,
  price_unit: null,
  sid,
  status,
  subresource_uris: { media: uri(sid).replace('.json', '/Media.json') },
  to,
  uri: uri(sid),
});

const accountShown = {
  sid: account.sid,
  friendly_name: 'A program',
  status: 'active',
  type: 'Full',
  auth_token: 'not shown',
  owner_account_sid: account.sid,
  date_created: rfc2822(new Date(0)),
  date_updated: rfc2822(new Date(0)),
  subresource_uris: {},
  uri: `/2010-04-01/Accounts/${account.sid}.json`,
};

interface Reply {
  readonly status: number;
  readonly body: object;
}

const refusal = (status: number, code: number, message: string): Reply => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const formType = 'application/x-www-form-urlencoded';

/** The schema wants whole addresses, where Twilio itself gives paths. */
const schemaOrigin = 'https://api.twilio.com';

/** A page of the messages of a time, the newest first. */
function pageOf(messages: readonly Sms[], asked: Readonly<Record<string, string>>, most: number) {
  const { 'DateSent>': after, 'DateSent<': before, PageSize = '50', Page = '0' } = asked;
  const secondOf = (at: Date) => Math.floor(at.getTime() / 1_000);
  const from = after === undefined ? 0 : secondOf(new Date(after));
  const to = before === undefined ? Number.POSITIVE_INFINITY : secondOf(new Date(before));
  const found = messages
    .filter(({ at }) => secondOf(at) >= from && secondOf(at) <= to)
    .sort((one, other) => other.at.getTime() - one.at.getTime());
  const size = Math.min(Number(PageSize), most);
  const start = Number(Page) * size;
  const isLast = start + size >= found.length;
  const list = `${schemaOrigin}/2010-04-01/Accounts/${account.sid}/Messages.json`;
  const nextPage = new URLSearchParams({ ...asked, Page: String(Number(Page) + 1) });
  return {
    messages: found.slice(start, start + size).map(shown),
    end: 0,
    first_page_uri: list,
    next_page_uri: isLast ? null : `${list}?${nextPage}`,
    page: Number(Page),
    page_size: size,
    previous_page_uri: null,
    start,
    uri: list,
  };
}

/** The types of a call with a form. */
interface Creating {
  readonly post: {
    readonly requestBody: {
      readonly content: Readonly<
        Record<string, { readonly schema: { readonly properties: object } }>
      >;
    };
  };
}

/** Starts it at a free port. */
export async function startTwilio() {
  const messages: Sms[] = [];
  const faults: string[] = [];
  const lists: Readonly<Record<string, string>>[] = [];
  let mostOnPage = 1_000;
  let next: Reply | 'hang' | 'down' | null = null;
  let token = account.token;

  const api = new OpenAPIBackend({
    definition,
    quick: true,
    ajvOpts: { strict: false, coerceTypes: true },
    customizeAjv: (ajv) => {
      formats.default(ajv);
      ajv.addFormat('phone-number', /^\+[1-9]\d{6,14}$/);
      ajv.addFormat('date-time-rfc-2822', /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000$/);
      for (const name of ['currency', 'uri-map', 'http-method']) ajv.addFormat(name, true);
      return ajv;
    },
    handlers: {
      CreateMessage({ request }: Context) {
        const { To, Body, StatusCallback, ValidityPeriod, MessagingServiceSid } =
          request.requestBody;
        if (MessagingServiceSid !== account.service) return refusal(400, 21703, 'no such service');
        const sid = `SM${String(messages.length + 1).padStart(32, '0')}`;
        const sms: Sms = {
          sid,
          to: To,
          body: Body,
          callback: StatusCallback,
          validity: ValidityPeriod ? Number(ValidityPeriod) : null,
          at: new Date(),
          status: 'accepted',
          errorCode: null,
        };
        messages.push(sms);
        return { status: 201, body: shown(sms) };
      },
      ListMessage: ({ request }: Context) => {
        const asked = request.query as Readonly<Record<string, string>>;
        lists.push(asked);
        return { status: 200, body: pageOf(messages, asked, mostOnPage) };
      },
      FetchAccount: () => ({ status: 200, body: accountShown }),
      unauthorizedHandler: () => refusal(401, 20003, 'Authenticate'),
      notFound: () => refusal(404, 20404, 'not found'),
      validationFail({ validation }: Context) {
        faults.push(`asked: ${JSON.stringify(validation.errors)}`);
        return refusal(400, 20001, 'not by the schema');
      },
      postResponseHandler({ response, operation }: Context) {
        const { status, body } = response as Reply;
        if (operation && status < 300) {
          const { errors } = api.validateResponse(body, operation, status);
          if (errors) faults.push(`answered: ${JSON.stringify(errors)}`);
        }
        return response;
      },
    },
  });
  api.registerSecurityHandler('accountSid_authToken', ({ request }: Context) => {
    const said = Buffer.from(String(request.headers.authorization).slice(6), 'base64').toString();
    return said === `${account.sid}:${token}`;
  });
  await api.init();

  const { paths } = definition as unknown as { readonly paths: Record<string, Creating> };
  const creating = paths['/2010-04-01/Accounts/{AccountSid}/Messages.json'];
  const asked = creating?.post.requestBody.content[formType]?.schema.properties ?? {};
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://twilio.test');
    const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
    for (const name of Object.keys(form)) if (!(name in asked)) faults.push(`asked: ${name}`);
    if (next === 'hang') return;
    if (next === 'down') return void request.socket.destroy();
    const { status, body } =
      next ??
      ((await api.handleRequest({
        method: request.method ?? 'GET',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers as Record<string, string>,
        body: form,
      })) as Reply);
    const text = JSON.stringify(body).replaceAll(schemaOrigin, '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  /** The callback as Twilio sends it: a form, signed over its address. */
  function callbackOf(sms: Sms, more: Readonly<Record<string, string>> = {}) {
    const form: Record<string, string> = {
      AccountSid: account.sid,
      ApiVersion: '2010-04-01',
      MessageSid: sms.sid,
      MessageStatus: sms.status,
      MessagingServiceSid: account.service,
      SmsSid: sms.sid,
      SmsStatus: sms.status,
      To: sms.to,
      ...(sms.errorCode !== null && { ErrorCode: String(sms.errorCode) }),
      ...more,
    };
    const signature = twilio.getExpectedTwilioSignature(token, sms.callback, form);
    return {
      url: sms.callback,
      headers: {
        'content-type': formType,
        'x-twilio-signature': signature,
      },
      body: new URLSearchParams(form).toString(),
    };
  }

  return {
    origin: `http://127.0.0.1:${port}`,
    messages,
    /** Its lists that were asked for. */
    lists,
    /** Makes its pages smaller than they are asked for. */
    pageSize: (most: number) => {
      mostOnPage = most;
    },
    /** Requests and answers that break the schema. */
    faults,
    /** Sets the answer from now on; null: as it does. */
    answer: (reply: Reply | 'hang' | 'down' | null) => {
      next = reply;
    },
    refuse: (status: number, code: number) => {
      next = refusal(status, code, `The 'To' number +12025550123 is not right`);
    },
    rotate: (given: string) => {
      token = given;
    },
    /** Its report of a message that it has. */
    report(sms: Sms, status: string, errorCode: number | null = null) {
      Object.assign(sms, { status, errorCode });
      return callbackOf(sms);
    },
    callbackOf,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
