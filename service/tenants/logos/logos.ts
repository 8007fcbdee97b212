import { createHash } from 'node:crypto';
import { logoLimits } from '@tenant-payments/contract/core/logos.ts';
import type { Logo } from '@tenant-payments/contract/resources/logos.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { column, table } from '@tenant-payments/engine/table.ts';
import { type Kysely, sql } from 'kysely';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database.ts';
import { type Picture, PngError, rewrittenPng } from './png.ts';

/** The logos of the hosted pages (rules/operations#72). */

const reasons = { maximum: logoLimits.side } as const;

/** @throws ApiError parameter_invalid, reason: why the file is refused */
function pictureOf(png: Buffer): Picture {
  const refuse = (reason: string) =>
    fail('parameter_invalid', {
      param: 'png',
      details: { reason, ...(reason === 'dimensions' ? reasons : {}) },
    });
  try {
    const picture = rewrittenPng(png, logoLimits.side);
    if (picture.file.length > logoLimits.keptBytes) throw refuse('too_large');
    return picture;
  } catch (error) {
    throw error instanceof PngError ? refuse(error.fault) : error;
  }
}

/** The address from which browsers load a logo: its bytes never change under an address. */
export const logoPath = (tenantId: string, hash: string): string =>
  `/hosted/${tenantId.replaceAll('-', '')}/logo/${hash}.png`;

const logos = table({
  name: 'logos',
  key: ['hash'],
  columns: { hash: column.text, png: column.bytes },
  frozen: ['png'],
});

/**
 * Keeps a logo, written anew from the pixels of a PNG file.
 * @throws ApiError parameter_invalid
 */
export const keepLogo = ({ publicUrl }: Pick<Config, 'publicUrl'>) =>
  command('keep_logo', {
    prepare: async ({ png }: { readonly png: string }, { tenantId }) => {
      const { file, width, height } = pictureOf(Buffer.from(png, 'base64'));
      const hash = createHash('sha256').update(file).digest('hex');
      const logo_url = `${publicUrl}${logoPath(tenantId, hash)}`;
      const shown: Logo = { logo_url, width, height, bytes: file.length };
      return { hash, file, shown };
    },
    load: (read, _, { hash }) => read.maybe(logos, hash),
    decide: (work, kept, _, { hash, file, shown }) => {
      if (!kept) work.create(logos, { hash, png: file });
      return { value: shown };
    },
  });

/**
 * Forgets what nobody is shown: of a Tenant's logos the one that was kept last stays, and the one that the
 * settings name.
 */
export async function sweepLogos(
  db: Kysely<Database>,
  tenantId: string,
  { logo_url: last }: Pick<Logo, 'logo_url'>,
): Promise<void> {
  // A default names no logo of a Tenant, so what was set says all.
  await sql`delete from logos l using tenants t
    where l.tenant_id = ${tenantId} and t.tenant_id = l.tenant_id and strpos(${last}, l.hash) = 0
      and strpos(coalesce(t.settings #>> '{branding,logo_url}', ''), l.hash) = 0`.execute(db);
}

/** The file of a logo; null: the Tenant has no such one. */
export async function logoFile(
  db: Kysely<Database>,
  tenantId: string,
  hash: string,
): Promise<Buffer | null> {
  const { rows } = await sql<{ png: Buffer }>`
    select png from logos where tenant_id = ${tenantId} and hash = ${hash}`.execute(db);
  return rows[0]?.png ?? null;
}

/** The path of the logo that the settings name, where it is one of ours; else null (rules/hosted#43). */
export async function shownLogo(
  db: Kysely<Database>,
  tenantId: string,
  logoUrl: string,
): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`
    select hash from logos
    where tenant_id = ${tenantId} and ${logoUrl} like '%/logo/' || hash || '.png'`.execute(db);
  const [row] = rows;
  return row ? logoPath(tenantId, row.hash) : null;
}
