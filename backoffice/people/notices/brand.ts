import type { Queryable } from '@tenant-payments/engine/database/queryable.ts';
import type { MessageBrand } from '@tenant-payments/service/rails/messages.ts';
import { nameOfScope } from '../scope.ts';

/** The color of the pages of the platform. */
const platformColor = '#1f5eff';

/** Messages to people of the portal and the console are the platform's own, also where they tell of a Tenant. */
export const brandOfScope = async (db: Queryable, scope: string): Promise<MessageBrand> => ({
  name: await nameOfScope(db, scope),
  logoUrl: null,
  color: platformColor,
});
