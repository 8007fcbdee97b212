import type { Family } from './family.ts';
import { type ResourceName, resources } from './resources/table.ts';

const account = (name: 'login' | 'logout' | 'whoami' | 'status' | 'token' | 'profiles') => () =>
  import('./account/commands.ts').then(({ declares }) => declares[name]);

/** Resources with commands that no operation makes. */
const withMore: { readonly [R in ResourceName]?: Family['load'] } = {
  events: () => import('./events/commands.ts').then(({ declareEvents }) => declareEvents),
  logs: () => import('./logs/commands.ts').then(({ declareLogs }) => declareLogs),
};

const ofResources = Object.fromEntries(
  (Object.keys(resources) as ResourceName[]).map((name): [ResourceName, Family] => [
    name,
    {
      about: resources[name].about,
      load:
        withMore[name] ??
        (() => import('./resources/commands.ts').then(({ resource }) => resource(name))),
    },
  ]),
) as Readonly<Record<ResourceName, Family>>;

/** Every first word, in the order of the help. */
export const families: Readonly<Record<string, Family>> = {
  login: { about: 'sign in to the portal of a service in a browser', load: account('login') },
  logout: { about: 'revoke the key of the login and forget it', load: account('logout') },
  whoami: { about: 'show who calls, and with which roles', load: account('whoami') },
  status: { about: 'show the service, the account and its webhooks', load: account('status') },
  token: { about: 'print an access token for the Tenant API', load: account('token') },
  init: {
    about: 'write .env.local with the address and keys of the account',
    load: () => import('./account/init.ts').then(({ declareInit }) => declareInit),
  },
  wait: {
    about: 'wait until the service is ready',
    load: () => import('./wait.ts').then(({ declareWait }) => declareWait),
  },
  profiles: { about: 'list, add, choose and remove accounts', load: account('profiles') },
  ...ofResources,
  listen: {
    about: 'hand events to a server on this machine',
    load: () => import('./listen/commands.ts').then(({ declareListen }) => declareListen),
  },
  verify: {
    about: 'say which step of the signature check fails',
    load: () => import('./signature/commands.ts').then(({ declareVerify }) => declareVerify),
  },
  sign: {
    about: 'sign a body as the service does',
    load: () => import('./signature/commands.ts').then(({ declareSign }) => declareSign),
  },
  receiver: {
    about: 'check your webhook receiver against the contract',
    load: () => import('./receiver/commands.ts').then(({ declareReceiver }) => declareReceiver),
  },
  trigger: {
    about: 'cause an event of any type, with real records',
    takes: '[type]',
    load: () => import('./trigger/trigger.ts').then(({ declareTrigger }) => declareTrigger),
  },
  simulate: {
    about: 'act as the bank, a provider, the customer or a reviewer',
    takes: '<event-or-id> [id]',
    load: () => import('./simulate/simulate.ts').then(({ declareSimulate }) => declareSimulate),
  },
  clock: {
    about: "show and move the Tenant's clock",
    load: () => import('./clock/commands.ts').then(({ declareClock }) => declareClock),
  },
  'production-rules': {
    about: 'let a sandbox answer as production would',
    load: () =>
      import('./production_rules.ts').then(({ declareProductionRules }) => declareProductionRules),
  },
  open: {
    about: 'open a page or a record in the browser',
    takes: '[page-or-id]',
    load: () => import('./open.ts').then(({ declareOpen }) => declareOpen),
  },
  completion: {
    about: 'print the completion script of bash, zsh or fish',
    takes: '[shell]',
    load: () =>
      import('./completion/commands.ts').then(({ declareCompletion }) => declareCompletion),
  },
};
