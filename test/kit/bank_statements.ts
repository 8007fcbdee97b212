import { easternDay } from '../../service/resources/limits/days.ts';
import { type ApprovalsServer, openApprovals, type StaffCase } from './approvals.ts';
import type { Reply, ReplyBody } from './http/http.ts';
import type { PortalPerson } from './people.ts';
import type { Person } from './person.ts';

/** A bank account's day. */
interface AccountDay {
  /** Null: the pooled account. */
  readonly tenantId: string | null;
  readonly day: string;
}

/** A Tenant whose money has gone each way by the bank on one day. */
export interface BusyDay extends StaffCase {
  readonly tenantId: string;
  readonly day: string;
  readonly ana: Person;
  readonly load: ReplyBody;
  readonly withdrawal: ReplyBody;
}

/** A sandbox whose staff compare statements of the bank with the ledger. */
export interface StatementsServer extends Pick<ApprovalsServer, 'server' | 'openCase'> {
  /** An admin. */
  readonly maria: PortalPerson;
  busyDay(): Promise<BusyDay>;
  /** The statement that the sandbox's bank makes of a day. */
  sandboxFile(of: AccountDay): Promise<string>;
  upload(of: AccountDay, csv: string, by?: PortalPerson): Promise<Reply>;
  /** Uploads a file, and compares it. */
  compared(of: AccountDay, csv: string): Promise<ReplyBody>;
}

/** Await it at the top of the file. */
export async function openStatements(): Promise<StatementsServer> {
  const { server, admins, openCase } = await openApprovals();
  const [maria] = admins;

  const upload: StatementsServer['upload'] = ({ tenantId: tenant_id, day }, csv, by = maria) =>
    by.ask('POST', '/bank-statements', { tenant_id, day, file_name: 'bank.csv', csv });

  return {
    server,
    openCase,
    maria,
    upload,
    async busyDay() {
      const staff = await openCase();
      const { api, tenant } = staff;
      const ana = await api.funded('individual', 80_00);
      const [load, withdrawal] = [
        await api.confirmed(api.load(ana, 20_00)),
        await api.confirmed(api.withdraw(ana, 5_00)),
      ];
      await api.simulate('load.settled', load.id);
      await api.simulate('withdrawal.settled', withdrawal.id);
      const late = await api.confirmed(api.load(ana, 7_00));
      await api.simulate('load.failed', late.id);
      await api.simulate('load.paid_late', late.id);
      const { now } = await api.get('/portal/api/clock');
      return { ...staff, ana, day: easternDay(now), tenantId: tenant.tenantId, load, withdrawal };
    },
    async sandboxFile({ tenantId, day }) {
      const path = `/sandbox/bank-statement?tenant_id=${tenantId}&day=${day}`;
      return (await maria.ask('GET', path)).body.csv;
    },
    async compared(of, csv) {
      const { status, body } = await upload(of, csv);
      if (status !== 201) throw new Error(`it was refused: ${JSON.stringify(body)}`);
      return (await maria.ask('GET', `/bank-statements/${body.id}`)).body;
    },
  };
}
