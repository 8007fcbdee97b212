import type { Act } from './acts.ts';
import { ownersOf } from './parts.ts';
import { type Business, businesses, type Individual, individuals, type Who } from './people.ts';
import type { Scene } from './world.ts';

const all: Readonly<Record<Who, Individual | Business>> = { ...individuals, ...businesses };
const keys = Object.keys(all);
const isBusiness = (one: Individual | Business): one is Business => 'legal_name' in one;

/** How the Tenant registers somebody: with numbers that are kept for fiction. */
function registrationOf(who: Who) {
  const one = all[who];
  const place = keys.indexOf(who);
  const prefill = isBusiness(one)
    ? { legal_name: one.legal_name }
    : { first_name: one.first_name, last_name: one.last_name };
  return {
    type: isBusiness(one) ? 'business' : 'individual',
    prefill,
    external_ref: `mm-${1001 + place}`,
    email: `${who}@example.com`,
    mobile_number: `+12025550${110 + place}`,
  } as const;
}

/** The owners' checks end as the table says; where the business is approved all of them are. */
async function decideOwners({ world, api }: Scene, id: string, { owners, stage }: Business) {
  const { dependencies, tenantId } = world;
  const made = await ownersOf(dependencies.service.db, tenantId, id);
  for (const [index, owner] of owners.entries()) {
    const ended = owner.stage ?? (stage === 'pending' || stage === 'created' ? null : 'approved');
    const ownerId = made[index];
    if (ownerId !== undefined && ended !== null && ended !== 'pending')
      await api.simulate(`owner.${ended}`, ownerId);
  }
}

async function link({ world, api }: Scene, id: string, who: Who) {
  const { bank, link: end } = all[who];
  if (bank === undefined) return;
  const made = await api.link({ id }, bank);
  world.ids.set(`${who}.link`, made.id);
  if (end !== undefined && end !== 'pending') await api.simulate(`linked_account.${end}`, made.id);
}

/** Somebody is registered, and comes as far as the table says. */
export async function join(
  scene: Scene,
  { who }: Extract<Act, { readonly do: 'join' }>,
): Promise<void> {
  const { world, api, commands } = scene;
  const one = all[who];
  const { id } = await api.createCustomer(registrationOf(who));
  world.ids.set(who, id);
  if (one.stage === 'created') return;
  if (isBusiness(one)) {
    await api.run(commands.submitBusiness, { id, business: one });
    await decideOwners(scene, id, one);
  } else await api.simulate('session.completed', id);
  if (one.stage !== 'pending') await api.simulate(`customer.${one.stage}`, id);
  await link(scene, id, who);
}
