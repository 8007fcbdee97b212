import { createHmac, randomBytes } from 'node:crypto';

/** Webhooks as Standard Webhooks signs them: HMAC-SHA256 over id, time and raw body. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers of a webhook. @param seconds since 1970 */
export function signedHeaders(id: string, seconds: number, body: string, secret: string) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}
