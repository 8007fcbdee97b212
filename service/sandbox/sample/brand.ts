import { command } from '@tenant-payments/engine/command.ts';
import { withChanges } from '@tenant-payments/engine/settings.ts';
import { tenants } from '@tenant-payments/engine/tenant.ts';
import type { Service } from '../../service.ts';
import { keepLogo } from '../../tenants/logos/logos.ts';

/** The brand of Corner Shop, so that the shop and the hosted pages look like one (rules/sandbox#20). */
const brand = { name: 'Corner Shop', primary_color: '#1b5e45' } as const;

/** A PNG file of 128 by 128 pixels, in base64: the cup of the shop's page. */
const logo = [
  'iVBORw0KGgoAAAANSUhEUgAAAIAAAACABAMAAAAxEHz4AAAAMFBMVEUbXkUbXkUbXkUbXkUbXkUbXkUbXkUbXkUbXkU8',
  'dWBcjHp9o5Wduq++0cre6OT////JCuWDAAAAEHRSTlMAIEBggJ+/3///////////A6sYsQAAA3ZJREFUeNrdmTtsE0EQ',
  'QDch4NYSCFFGQqIGCkgZikiUFBGiDEQIShqQWxSw9/xtLSFwmwJwC4jgNhBLbmNFyC0/yW3A8Q26O/s+uzNr744bmGqk',
  'aF7OMzu78xEilqWN2wU5h5Tub+YFIufmso6keEO3vy6tZFu1vyQt5R7TXiGsSAdZTwHuuACeJ/bnpZPcndovF9wApdUJ',
  '4Ix0lC2OB1JeWJHOEgXigjvgaQh46A4oBvanJEOCOOQ4gEdCiJscwDMhliRL8mKZB1gVp3mAdcqHTUTDvYgfo56/q2nE',
  'UUKDUAUYqRoVBjSTWgDQVDQqn9CDPACAXUWjDjN2mXgw/b+JZgWoAMBY0ahbSRA+hN+KRgkKqAHAoaJZAdhfEPzyE0Wz',
  'AlhEAQeE0d9XNCtAGwCOFc0KUAeAP4pmBSjDNIcSzQogE+fPCgMOqMT/t+L2BY34lzfcfNCJfd9xi0Ivjn7P+Rz4qmYF',
  'qMYpVHVKJinfjJuaZgWYX/47wN5XgxzNBgS5a5BvMwE9M2A0EzAwA8YzAUMzwP9HAFQQA0D34ENzFoDM3cnX+Z+ZAIC+',
  'IyBxxT4XMOYCsgWDvQ+Uh8YFkCnbbAC+lC8GalpaAsLHNpOWtoCwdPU5gLLiBGuA+tjZA1rZk2APaGTDYA+oLQJwzAHU',
  'uV/Q4Dqxwwyjxz1IgQ+BcZS9gXInqU+bCTCeeCBTNWlvo+FK87vdoXataq/zHHeiT15pHbo98VKA70YA0aaWUx/QJAFt',
  'uq6tJoA+/S60qDomXf2MDE9bje4SW/Gj0DQADF3ipHz69d74vNNdIv0XoT0/h1Q37c9RaHaoYo78gwKoA34SymSdqQDK',
  'gMehBeQRE3rT7GvO8ob0IEMBvAKszWtrGUACoiP/Tm9DySQRiLsh2yaFlxDZvgok4FlCZE82jwIvZfyjCcLbG9JlLgqo',
  'xWkfFLhDtDIz90xo13Fi0XSVMQA9TkNGYS91+75hFIZM896q9j9Mwzhsnvgpa//TOE9EB5KvU3Wp/8U84F/Dn4GP3ahR',
  '6R6Ym/cdzmw/GsrmeIAtznoiGkyzR+PM/n8B6wH+goK1IrkcLFkK7valcMuz5g7YCQGMFcUtwVs0FSe7thwnBuG+2HVd',
  'mF/UwpK/MuUvbdlrY/7iWohrdvbb+vL9rIUnH1/B1v/i4saDeayfbF5NGf0FvDI3ZiB2CpoAAAAASUVORK5CYII=',
].join('');

/** Gives a Tenant the shop's brand. */
const takeBrand = command('take_brand', {
  load: (read, _logo: { readonly logo_url: string }) => read.one(tenants, {}),
  decide: (work, tenant, { logo_url }) => {
    const settings = withChanges(tenant.settings, { branding: { ...brand, logo_url } });
    work.change(tenant, { settings });
    return { value: null };
  },
});

/** Gives a Tenant that nobody uses yet the shop's brand. */
export async function brandSample({ engine, config }: Service, tenantId: string): Promise<void> {
  const { body } = await engine.submit(keepLogo(config), { tenantId, input: { png: logo } });
  await engine.submit(takeBrand, { tenantId, input: JSON.parse(body) });
}
