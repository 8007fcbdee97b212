import { openManualIdentity } from '../../service/identity/manual.ts';
import { openInbound } from '../../service/inbound/inbound.ts';
import type { Identity } from '../../service/rails/identity.ts';
import { identitiesOf } from '../../service/resources/identity/vault.ts';
import type { Service } from '../../service/service.ts';

/** `IDENTITY=manual` as the composition opens it. */
export function manualIdentity(service: Service): Identity {
  const vault = identitiesOf(service);
  if (!vault) throw new Error('the test has no key of the vault');
  return openManualIdentity({ db: service.db, vault, inbound: openInbound(service) });
}
