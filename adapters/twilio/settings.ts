import type { AdapterSettings } from '@tenant-payments/service/rails/adapter.ts';

const sid = (prefix: string) => new RegExp(`^${prefix}[0-9a-fA-F]{32}$`);
const origin = /^(https:\/\/[\w.-]+|http:\/\/(localhost|127\.0\.0\.1))(:\d+)?$/;
const isOne = (form: RegExp, what: string) => (value: string) => (form.test(value) ? null : what);

/** The tokens of an account: calls are made with the first; while it is replaced the second is one of its callbacks too. */
export const tokensOf = (value: string): readonly string[] =>
  value.split(',').map((token) => token.trim());

/** Text messages by Twilio (docs/guide/messages.md). */
export const twilioSettings: AdapterSettings = {
  name: 'twilio',
  ports: { sms: ['twilio'] },
  settings: {
    TWILIO_ACCOUNT_SID: { fault: isOne(sid('AC'), 'must be AC and 32 hexadecimal digits') },
    TWILIO_AUTH_TOKEN: {
      isSecret: true,
      fault: (value) =>
        tokensOf(value).every((token) => /^[0-9a-fA-F]{32}$/.test(token))
          ? null
          : 'must be 32 hexadecimal digits; while it is replaced the new one, a comma and the old one',
    },
    TWILIO_MESSAGING_SERVICE_SID: {
      fault: isOne(sid('MG'), 'must be MG and 32 hexadecimal digits'),
    },
    TWILIO_API_URL: {
      isOptional: true,
      fault: (value) =>
        origin.test(value) && URL.canParse(value)
          ? null
          : 'must be an origin such as https://api.twilio.com',
    },
  },
};
