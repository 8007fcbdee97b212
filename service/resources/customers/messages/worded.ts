import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { type SettingsRow, settingsOf } from '@tenant-payments/engine/settings.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { Contents } from '../../../rails/mail/content.ts';
import { renderMessage } from '../../../rails/mail/render.ts';
import type { Message, MessageBrand, MessageTo } from '../../../rails/messages.ts';

export const brandOf = ({ branding }: Pick<Settings, 'branding'>): MessageBrand => ({
  name: branding.name,
  logoUrl: branding.logo_url,
  color: branding.primary_color,
});

/** The brand of a Tenant's row. */
export const brandOfTenant = (tenantId: string, row: SettingsRow): MessageBrand =>
  brandOf(settingsOf(tenantId, row));

interface Parts extends Pick<Message, 'id' | 'tenantId' | 'template' | 'locale' | 'brand'> {
  readonly to: MessageTo;
  readonly contents: Contents;
  readonly data: Readonly<Record<string, string | number | undefined>>;
  readonly expiresAt: Instant | null;
}

/** A message as its provider takes it. */
export function providerMessage({ contents, data, ...message }: Parts): Message {
  const named = Object.entries(data).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return {
    ...message,
    data: Object.fromEntries(named),
    rendered: renderMessage(contents, message),
  };
}
