import { contentOf } from '../../../service/rails/mail/content.ts';
import { renderMessage } from '../../../service/rails/mail/render.ts';
import type { Message } from '../../../service/rails/messages.ts';

const brand = { name: 'Corner Shop', logoUrl: null, color: '#1f5eff' };
const template = { subject: 'Your code for Ñandú', body: 'It is:\n\n{code}\n\nDear ünïcode.' };

/** A message to somebody, with a code. */
export function aMessage(more: Partial<Message> & Pick<Message, 'id' | 'to'>): Message {
  const data = { code: '604927' };
  const content = contentOf(template, data);
  const locale = 'en';
  const rendered = renderMessage({ en: content, es: content }, { locale, brand });
  const tenantId = '0190a0b0-0000-7000-8000-000000000001';
  const of = { tenantId, template: 'code', locale, brand, expiresAt: null } as const;
  return { ...of, data, rendered, ...more };
}
