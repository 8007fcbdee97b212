import {
  type ProductionRuleName,
  productionRules,
} from '@tenant-payments/contract/sandbox/production_rules.ts';
import { type ApiError, assert } from './fail.ts';

export type Environment = 'sandbox' | 'production';

/** A refusal by production of a call that a sandbox takes. */
export interface RefusedInProduction {
  readonly rule: ProductionRuleName;
  readonly error: ApiError;
}

/** The environment whose rules a call obeys. */
export interface Obeying {
  readonly environment: Environment;
  /** The Tenant's sandbox answers as production would (`settings.production_rules`). */
  readonly asProduction: boolean;
}

/**
 * Holds a call against a rule of the table (rules/sandbox#46).
 * @param refusal of the call in an environment; null: it is taken there
 * @returns what production would refuse of a call that is taken here; null: nothing
 * @throws the refusal, in production and in a sandbox that answers as production
 */
export function obeyRule(
  { environment, asProduction }: Obeying,
  rule: ProductionRuleName,
  refusal: (environment: Environment) => ApiError | null,
): RefusedInProduction | null {
  const { by, code, param } = productionRules[rule];
  const here = refusal(asProduction && by === 'caller' ? 'production' : environment);
  if (here) throw here;
  const error = environment === 'production' ? null : refusal('production');
  if (!error) return null;
  assert(error.code === code && error.param === param, `production refuses as ${rule} says`);
  return { rule, error };
}

/** Holds a call against a rule. @param refusal as `obeyRule` @throws the refusal */
export type Obey = (
  rule: ProductionRuleName,
  refusal: (environment: Environment) => ApiError | null,
) => void;

/** Holds what is no call of a Tenant, where there is nobody to tell. */
export const obeying =
  (environment: Environment): Obey =>
  (rule, refusal) =>
    void obeyRule({ environment, asProduction: false }, rule, refusal);
