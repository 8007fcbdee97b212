import { randomUUID } from 'node:crypto';
import { mkdtempSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '@tenant-payments/contract/core/settings.ts';
import { publicId } from '@tenant-payments/contract/core/ids.ts';
import { startEmbedded } from '../service/db/embedded.ts';
import { migrate } from '../service/db/migrate.ts';
import { openPool } from '../service/db/pool.ts';
import { startEngine } from '../service/core/engine.ts';
import { openClocks } from '../service/core/clock.ts';
import { command } from '../service/core/command.ts';
import { createPayment } from '../service/resources/payments/create.ts';
import { completeConfirmation } from '../service/flows/complete.ts';
import { loadSession } from '../service/flows/session_end.ts';
import { sessions } from '../service/resources/sessions/table.ts';
import { payments } from '../service/resources/payments/table.ts';
import { accounts } from '../service/resources/accounts/table.ts';
import { openQrSigner } from '../service/resources/payment_requests/qr.ts';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

const useAhead = process.env.AHEAD !== '0';
const C = Number(process.env.C ?? 128);
const N = Number(process.env.N ?? 20000);
const dir = mkdtempSync(join(tmpdir(), 'tplead-')); chmodSync(dir, 0o711);
const server = await startEmbedded({ dataDir: dir });
await migrate(server.url);
const pool = openPool(server.url, { max: 4, statementTimeoutMs: 60000 });
const tenants = Array.from({ length: 5 }, () => randomUUID());
const s = defaultSettings('b');
s.limits.payment_daily = { individual: null, business: null };
s.fees = [{ type: 'platform', payment_type: 'consumer_to_merchant', source: 'balance', basis_points: 50, fixed: 0, paid_by: 'payee' }];
for (const t of tenants) await pool.query("insert into tenants (tenant_id,name,settings,created_at) values ($1,'b',$2,now())", [t, JSON.stringify(s)]);
const P = 400, M = Number(process.env.M ?? 100);
for (const t of tenants) {
  await pool.query(`insert into customers (tenant_id,id,type,external_ref,mobile_hmac,status,verification_updated_at,account_id,created_at,updated_at,version)
   select $1, ('00000000-0000-7000-8000-'||lpad(to_hex(g),12,'0'))::uuid, case when g<=${P} then 'individual' else 'business' end, 'r'||g, 'h'||g,'approved',now(),('00000000-0000-7000-9000-'||lpad(to_hex(g),12,'0'))::uuid,now(),now(),1 from generate_series(1,${P + M}) g`, [t]);
  await pool.query(`insert into accounts (tenant_id,id,customer_id,type,status,holder_name,opened_at,updated_at,version)
   select tenant_id, account_id, id, case when type='individual' then 'consumer' else 'merchant' end,'active','Name N.',now(),now(),1 from customers where tenant_id=$1`, [t]);
  await pool.query(`insert into balances (tenant_id,account_id,available) select tenant_id,id,100000000 from accounts where tenant_id=$1`, [t]);
}
const engine = await startEngine({ databaseUrl: server.url, environment: 'sandbox', clocks: openClocks(Date.now), seal: () => 'x'.repeat(200), revive: async () => '', onAlarm: console.error });
const qr = openQrSigner(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'sandbox');
const create = createPayment(qr);
const path = { table: sessions, next: [{ by: ['target_id'], table: payments, then: [{ by: ['payer_account_id', 'payee_account_id'], table: accounts }] }] };
const complete = command('complete', {
  ...(useAhead ? { ahead: ({ id }: { id: string }) => ({ plan: path, id }) } : {}),
  load: (read, { id }: { id: string }) => loadSession(read, id),
  decide: (work, { session, target }) => { if (!target) throw new Error('x'); completeConfirmation(work, session, target); return { value: { object: 'simulation', event: 'session.completed', object_id: 'x', status: 'accepted' } }; },
});
const cid = (g: number) => publicId('customer', '00000000-0000-7000-8000-' + g.toString(16).padStart(12, '0'));
function pgCpu() { let t = 0; for (const p of readdirSync('/proc')) { if (!/^\d+$/.test(p)) continue; try { const st = readFileSync(`/proc/${p}/stat`, 'utf8'); if (!st.includes('(postgres)')) continue; const f = st.slice(st.lastIndexOf(')') + 2).split(' '); t += Number(f[11]) + Number(f[12]) + (Number(f[1]) === process.pid ? Number(f[13]) + Number(f[14]) : 0); } catch {} } return t * 10; }
async function run(label: string, n: number, job: (i: number) => Promise<unknown>) {
  let next = 0; const t0 = performance.now(); const c0 = process.cpuUsage(); const p0 = pgCpu(); const b0 = engine.stats.batches;
  await Promise.all(Array.from({ length: C }, async () => { while (next < n) { const i = next++; await job(i); } }));
  const dt = performance.now() - t0; const c = process.cpuUsage(c0);
  console.log(label, Math.round(n / dt * 1000) + '/s', 'node', Math.round((c.user + c.system) / n), 'us pg', Math.round((pgCpu() - p0) * 1000 / n), 'us batch', (n / (engine.stats.batches - b0)).toFixed(1), 'reruns', engine.stats.reruns, 'splits', engine.stats.splits);
}
for (let round = 0; round < 3; round++) {
  const ids: [string, string][] = [];
  await run('create  ', N, async (i) => {
    const t = tenants[i % 5]!;
    const r = await engine.submit(create, { tenantId: t, idempotency: { keyHash: randomUUID(), fingerprint: randomUUID() }, input: { payer_customer_id: cid(1 + (i * 7) % P), payee_customer_id: cid(P + 1 + (i * 13) % M), amount: 1234, source: 'balance', description: 'Coffee and cake' } });
    const o = JSON.parse(r.body); ids.push([t, o.confirmation_session.id]);
  });
  const { uuidOf } = await import('@tenant-payments/contract/core/ids.ts');
  await run('complete', N, async (i) => { const [t, id] = ids[i]!; await engine.submit(complete, { tenantId: t, idempotency: { keyHash: randomUUID(), fingerprint: randomUUID() }, input: { id: uuidOf('session', id)! } }); });
}
console.log((await pool.query("select status, count(*) from payments group by 1")).rows, (await pool.query("select type, count(*) from events group by 1")).rows);

await engine.stop(); await pool.end(); await server.stop();
