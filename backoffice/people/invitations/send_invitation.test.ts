import type { Message, Messages } from '@tenant-payments/service/rails/messages.ts';
import { expect, test } from 'vitest';
import { openBrowser, type PortalPerson, portalPerson, tokenOf } from '../../../test/kit/people.ts';
import { openServer } from '../../../test/kit/server.ts';
import { until } from '../../../test/kit/wait.ts';
import type { NewInvitation } from '../../contract/people/invitations.ts';
import { platform } from '../scope.ts';

const lines: string[] = [];
const server = await openServer({
  workers: false,
  alone: true,
  onLog: (line) => lines.push(line),
});
const { owner, rails, tenant } = server;
const admin = await portalPerson(server, platform, ['admin']);
const boss = await portalPerson(server, tenant.tenantId, ['owner']);

/** From now on the rail sends invitations in this way, and all else nowhere; absent: it sends no mail. */
const sendsBy = (invite?: (message: Message) => Promise<void>) =>
  Object.assign(rails.messages, {
    can: invite && { mail: true, text: false },
    async send(message: Message) {
      if (message.template === 'invitation') await invite?.(message);
      return { providerId: null };
    },
  } satisfies { can: Messages['can']; send: Messages['send'] });
const emailOf = ({ to }: Message) => ('email' in to ? to.email : '');

async function invited(by: PortalPerson, path: string, email: string): Promise<NewInvitation> {
  const roles = path === '/invitations' ? ['reader'] : ['support'];
  const { status, body } = await by.ask('POST', path, { email, roles });
  expect(status).toBe(201);
  return body;
}

test('an invitation that is sent shows its inviter no link, and can be opened once it is sent', async () => {
  const sent: Message[] = [];
  const openings: number[] = [];
  sendsBy(async (message) => {
    const token = tokenOf(message.data.link ?? '');
    const opened = await openBrowser(server).ask('POST', '/accept-invitation/open', { token });
    openings.push(opened.status);
    sent.push(message);
  });
  const member = await invited(boss, '/invitations', 'mia@example.com');
  const staff = await invited(admin, '/staff-invitations', 'sid@example.com');
  await until(() => sent.length === 2);
  expect([member.link, staff.link]).toEqual([null, null]);
  const told = sent.map(({ to, brand, expiresAt }) => ({ to, scope: brand.name, expiresAt }));
  const expected = (email: string, scope: string, { expires_at: expiresAt }: NewInvitation) => ({
    to: { email },
    scope,
    expiresAt,
  });
  expect(told).toContainEqual(expected('mia@example.com', 'Test Tenant', member));
  expect(told).toContainEqual(expected('sid@example.com', 'Platform', staff));
  expect(sent[0]?.rendered.text).toContain('#invitation=');
  expect(openings).toEqual([200, 200]);
});

const down = new Error('mail is down');

test.each<[string, () => Promise<void>]>([
  ['rejects', () => Promise.reject(down)],
  [
    'throws',
    () => {
      throw down;
    },
  ],
])('a provider that %s keeps nobody from being invited, and is a warning', async (_, invite) => {
  lines.length = 0;
  let link = '';
  sendsBy(({ data }) => {
    link = data.link ?? '';
    return invite();
  });
  const { id } = await invited(boss, '/invitations', 'ned@example.com');
  const told = await until(() => lines.find((line) => line.includes('could not be sent')));
  expect(JSON.parse(told)).toMatchObject({ level: 40, invitation_id: id });
  expect(lines.join()).not.toContain(tokenOf(link));
});

test('a provider that never answers keeps nobody from being invited', async () => {
  sendsBy(() => new Promise(() => {}));
  expect((await invited(boss, '/invitations', 'nel@example.com')).link).toBeNull();
});

test('an invitation that is refused is not sent', async () => {
  const sent: string[] = [];
  sendsBy(async (message) => void sent.push(emailOf(message)));
  const given = { email: boss.email, roles: ['reader'] };
  expect((await boss.ask('POST', '/invitations', given)).status).toBe(409);
  await invited(boss, '/invitations', 'ole@example.com');
  await until(() => sent.includes('ole@example.com'));
  expect(sent).not.toContain(boss.email);
});

test('the link lies nowhere in the database in clear', async () => {
  sendsBy();
  const { link } = await invited(boss, '/invitations', 'pia@example.com');
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in (current_schema(), 'control')`,
  );
  expect(tables.length).toBeGreaterThan(40);
  for (const { name } of tables) {
    const found = await owner.query(`select from ${name} t where strpos(t::text, $1) > 0`, [
      tokenOf(link ?? ''),
    ]);
    expect([name, found.rowCount]).toEqual([name, 0]);
  }
});

test('a rail that sends no invitations changes nothing', async () => {
  sendsBy();
  lines.length = 0;
  expect((await invited(boss, '/invitations', 'quin@example.com')).link).toContain('#invitation=');
  expect(lines.join()).not.toContain('could not be sent');
});
