import type { AdapterSettings } from '@tenant-payments/service/rails/adapter.ts';

const address = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** Mail by any server that speaks SMTP (docs/guide/messages.md). */
export const smtpSettings: AdapterSettings = {
  name: 'smtp',
  ports: { mail: ['smtp', 'smtps'] },
  settings: {
    MAIL_FROM: {
      fault: (value) =>
        address.test(value) ? null : 'must be one address, such as no-reply@pay.example',
    },
  },
};
