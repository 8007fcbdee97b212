import type { Declare } from '../family.ts';
import { resource } from '../resources/commands.ts';
import { declareGet } from './get.ts';
import { declareReplay } from './replay.ts';
import { declareResend } from './resend.ts';

const lists = resource('events');

/** `events`: the lists of the portal, and what is done about deliveries. */
export const declareEvents: Declare = (declaration, command) => {
  for (const declare of [lists, declareGet, declareResend, declareReplay])
    declare(declaration, command);
};
