import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from './config.ts';
import type { Rails } from './rails/rails.ts';
import { openQrSigner } from './resources/payment_requests/qr.ts';
import { sandboxRails } from './sandbox/rails.ts';
import { sampleSettings, seedSample } from './sandbox/sample.ts';
import type { Simulations } from './sandbox/simulate.ts';
import { openSimulations } from './sandbox/simulations.ts';
import type { Service } from './service.ts';
import type { Sample } from './tenants/sandbox_file.ts';

/**
 * The outside of this deployment: the sandbox plays it, production brings a module of its own.
 * @throws one line when that module cannot be loaded or exports no `rails`
 */
export async function openRails({ environment, rails }: Config): Promise<Rails> {
  if (environment === 'sandbox' || rails === null) return sandboxRails();
  const module: { rails?: Rails } = await import(pathToFileURL(resolve(rails)).href).catch(
    (error: unknown) => {
      throw new Error(`RAILS: ${rails} cannot be loaded (${(error as Error).message})`);
    },
  );
  if (!module.rails) throw new Error(`RAILS: ${rails} exports no rails`);
  return module.rails;
}

/** What the simulate path plays; production refuses it before it looks (contract: sandbox_only). */
export const simulationsOf = ({ environment, pinPepper }: Config): Simulations =>
  environment === 'sandbox' ? openSimulations(pinPepper) : {};

/** The sample that a new sandbox is given. */
export function sandboxSample(service: Service, rails: Rails): Sample {
  const { config, environment } = service;
  const qr = openQrSigner(config.qrSigningKey, environment);
  const simulations = simulationsOf(config);
  return {
    settings: sampleSettings,
    seed: (tenantId) => seedSample({ service, rails, qr, simulations }, tenantId),
  };
}
