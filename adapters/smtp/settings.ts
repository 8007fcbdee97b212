import type { AdapterSettings } from '@tenant-payments/service/rails/adapter.ts';

const address = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** With `#`, `/` or `?` of a password in clear the address would end there. */
function serverFault(value: string): string | null {
  const fault =
    'must be such as smtp://user:password@mail.example:587, with a sign of user or password as %40';
  try {
    const { hostname, username, password, pathname, search, hash } = new URL(value);
    decodeURIComponent(`${username}${password}`);
    return hostname !== '' && /^\/?$/.test(`${pathname}${search}${hash}`) ? null : fault;
  } catch {
    return fault;
  }
}

/** Mail by any server that speaks SMTP (docs/guide/messages.md). */
export const smtpSettings: AdapterSettings = {
  name: 'smtp',
  ports: { mail: ['smtp', 'smtps'] },
  valueFault: serverFault,
  settings: {
    MAIL_FROM: {
      fault: (value) =>
        address.test(value) ? null : 'must be one address, such as no-reply@pay.example',
    },
  },
};
