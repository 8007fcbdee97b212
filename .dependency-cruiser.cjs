/** Who may import whom (see rules/engine#26). Each rule says why. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/** The other resources that each resource knows; one that is not here knows none. A circle of files is none the less refused. */
const known = {
  accounts: ['customers', 'limits', 'linked_accounts'],
  calendar: ['limits'],
  customers: ['accounts', 'identity', 'limits', 'sessions', 'statements', 'terms'],
  disputes: [
    'accounts',
    'calendar',
    'customers',
    'limits',
    'linked_accounts',
    'payments',
    'return_requests',
    'suspense',
    'withdrawals',
  ],
  identity: ['customers', 'limits'],
  linked_accounts: ['accounts', 'customers', 'own_bank_accounts'],
  loads: ['accounts', 'customers', 'limits', 'linked_accounts', 'sessions'],
  payment_requests: ['accounts', 'customers'],
  payments: ['accounts', 'customers', 'limits', 'linked_accounts', 'payment_requests', 'sessions'],
  reconciliation: ['limits'],
  refunds: ['accounts', 'customers', 'disputes', 'linked_accounts', 'payments', 'sessions'],
  return_requests: ['accounts', 'disputes', 'linked_accounts', 'loads', 'suspense'],
  statements: ['accounts', 'customers', 'limits', 'reconciliation'],
  suspense: ['accounts', 'linked_accounts'],
  terms: ['customers', 'limits'],
  withdrawals: ['accounts', 'customers', 'limits', 'linked_accounts', 'sessions'],
};

const resources = 'service/resources';
const resourceRules = readdirSync(join(__dirname, resources), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) =>
    forbid(
      `${name}-knows-the-listed-resources`,
      'Whoever reads a resource reads those that it knows: another one is put on the list above, where it is seen.',
      { path: `^${resources}/${name}/`, pathNot: '[.]test' },
      {
        path: `^${resources}/[^/]+/`,
        pathNot: `^${resources}/(${[name, ...(known[name] ?? [])].join('|')})/`,
      },
    ),
  );

module.exports = {
  forbidden: [
    ...resourceRules,
    forbid(
      'no-circles',
      'A circle has no first file to read. Types count: they are read like the rest.',
      {},
      { circular: true },
    ),
    forbid(
      'contract-stands-alone',
      'The interface is data that everybody reads; it knows nobody. What publishes it reads the contract of the staff too.',
      { path: '^contract', pathNot: '^contract/emit|[.]test' },
      { path: '.', pathNot: ['^contract', 'node_modules/typebox'] },
    ),
    forbid(
      'the-publisher-reads-contracts',
      'References and types are made out of the two contracts, and of nothing that runs.',
      { path: '^contract/emit', pathNot: '[.]test' },
      { path: '^(engine|service|backoffice/(?!contract)|fleet|start|sdk|cli|web|test)/' },
    ),
    forbid(
      'the-engine-is-the-lowest-plane',
      'The verbs serve every resource and must not lean on one.',
      { path: '^engine', pathNot: '[.]test' },
      { path: '^(service|backoffice|fleet|start|adapters|sdk|cli|web|scripts)/' },
    ),
    forbid(
      'the-service-knows-no-plane-above',
      'Payments are whole without staff and with one database: a newcomer reads engine and service alone.',
      { path: '^service', pathNot: '[.]test' },
      { path: '^(backoffice|fleet|start|sdk|cli|web|scripts)/' },
    ),
    forbid(
      'the-backoffice-knows-no-fleet',
      'Which database holds a Tenant is asked of the cells of the process (service/cells), whichever plug fills them.',
      { path: '^backoffice', pathNot: '[.]test' },
      { path: '^(fleet|start|sdk|cli|web|scripts)/' },
    ),
    forbid(
      'the-contract-of-the-staff-stands-alone',
      'Pages and the command line read it, which know nothing that runs.',
      { path: '^backoffice/contract', pathNot: '[.]test' },
      { path: '.', pathNot: ['^backoffice/contract', '^contract', 'node_modules/typebox'] },
    ),
    forbid(
      'the-fleet-is-a-plug',
      'Cells, moves and Citus: one database needs none of it, and only the start plugs it in.',
      { path: '^fleet', pathNot: '[.]test' },
      { path: '^(start|sdk|cli|web|scripts)/' },
    ),
    forbid(
      'rails-are-ports',
      'A module of production implements them, so they say what the outside does and nothing of how the service uses it.',
      { path: '^service/rails', pathNot: '[.]test' },
      { path: '^service/(?!rails)' },
    ),
    forbid(
      'http-knows-no-resource',
      'It carries whatever operation it is given.',
      { path: '^service/http', pathNot: '[.]test' },
      { path: '^service/(?!http|operations|tenants|config|[^/]+[.]ts)' },
    ),
    forbid(
      'resources-stay-below',
      'Jobs, flows, webhooks and the other parts above use the resources; a resource that knew them could not be read alone.',
      { path: '^service/resources', pathNot: '[.]test' },
      {
        path: '^service/(webhooks|jobs|inbound|flows|sandbox|tenants|invariants|operations|config|keys|cells)/',
      },
    ),
    forbid(
      'webhooks-only-deliver',
      'Delivery reads events and sends them: whatever else it needs of the service is in the engine, or is given to it.',
      { path: '^service/webhooks', pathNot: '[.]test' },
      { path: '^service/(?!webhooks|resources|[^/]+[.]ts)' },
    ),
    forbid(
      'operations-only-watch',
      'What is measured must not depend on its measurement, nor the other way.',
      { path: '^service/operations', pathNot: '[.]test' },
      { path: '^service/(?!operations|config)' },
    ),
    forbid(
      'only-the-start-knows-the-composition',
      'These files put the parts together; a part that imported them would import all others.',
      {
        path: '^start/(?!app|run|workers|composition|serve|main|open_databases)',
        pathNot: '[.]test',
      },
      { path: '^start/(app|run|workers|composition)[.]ts' },
    ),
    forbid(
      'only-the-composition-knows-the-sandbox',
      'Production is the same code without service/sandbox and the week of a sandbox.',
      {
        path: '^(service|backoffice|fleet)',
        pathNot: '^(service/sandbox|backoffice/week)/|[.]test',
      },
      { path: '^(service/sandbox|backoffice/week)/' },
    ),
    forbid(
      'clients-know-the-contract-alone',
      'SDK and CLI must work against any deployment.',
      { path: '^(sdk|cli)', pathNot: '[.]test' },
      { path: '^(engine|service|backoffice/(?!contract)|fleet)/' },
    ),
    forbid(
      'the-shop-is-a-tenant',
      'Corner Shop shows what any Tenant can build, so it imports the two SDKs and nothing else of ours.',
      { path: '^examples', pathNot: '[.]test' },
      {
        path: '^(contract|engine|service|backoffice|fleet|start|cli|web|bench|scripts|sdk)/',
        pathNot: '^sdk/[a-z]+/index[.]ts',
      },
    ),
    forbid(
      'only-the-starter-knows-the-shop',
      'The service is complete without its example: `start` puts the two on one port in a sandbox.',
      { path: '^(contract|engine|service|backoffice|fleet|sdk|cli)', pathNot: '[.]test' },
      { path: '^(web|examples|start)/' },
    ),
    forbid(
      'no-page-knows-another',
      'A page is read, built and loaded by itself: what the portal and the console share is web/staff, what all share is web/ui.',
      { path: '^web/(flows|sign_in|portal|console|starter)/' },
      { path: '^web/(flows|sign_in|portal|console|starter)/', pathNot: '^web/$1/' },
    ),
    forbid(
      'staff-stays-below-its-pages',
      'The portal and the console are made of it: if it knew one of them, the other would load it too.',
      { path: '^web/staff/' },
      { path: '^web/(?!staff/|ui/)' },
    ),
    forbid(
      'ui-knows-no-page',
      'Every page is made of web/ui, so it can lean on none.',
      { path: '^web/ui/' },
      { path: '^web/(?!ui/)' },
    ),
    forbid(
      'react-and-preact-stay-apart',
      'The portal and the console are React; the components of web/ui are Preact, which would be a second library on their pages.',
      { path: '^web/(staff|portal|console)/' },
      { path: 'node_modules/preact/', reachable: true },
    ),
    forbid(
      'pages-know-the-contracts-alone',
      'A page runs in a browser and speaks to any deployment over HTTP, so of the server it reads the interface and no code.',
      { path: '^web', pathNot: '[.]test' },
      {
        path: '^(engine|service|backoffice|fleet|start|cli|scripts|bench|test)/',
        pathNot: '^backoffice/contract/',
      },
    ),
    forbid(
      'the-bank-stands-alone',
      'The sandbox bank is the other side: it shares nothing with the service that the service would be tested by.',
      { path: '^bank', pathNot: '^bank/adapter/|[.]test' },
      {
        path: '^(contract|engine|service|backoffice|fleet|start|sdk|cli|web|examples|scripts|bank/adapter)/',
      },
    ),
    forbid(
      'the-adapter-knows-the-ports-alone',
      'It is a module of RAILS, which is loaded by itself: of the service it reads types of the ports.',
      { path: '^bank/adapter/', pathNot: '[.]test' },
      {
        path: '^(contract|engine|service/(?!rails/)|backoffice|fleet|start|sdk|cli|web|examples|scripts)/',
      },
    ),
    forbid(
      'nobody-leans-on-the-bank',
      'The service is whole without it: RAILS names its adapter, which a build has put into a file.',
      { path: '^(contract|engine|service|backoffice|fleet|start|sdk|cli|web|examples)/' },
      { path: '^bank/' },
    ),
    forbid(
      'adapters-know-the-ports-alone',
      'An adapter speaks to one provider: of the service it reads the ports, and of the engine what anybody may use.',
      { path: '^adapters/', pathNot: '[.]test' },
      {
        path: '^(contract/(?!core)|service/(?!rails/)|backoffice|fleet|start|bank|sdk|cli|web|examples|scripts)/',
      },
    ),
    forbid(
      'no-adapter-knows-another',
      'Each is loaded by itself, where a setting names it.',
      { path: '^adapters/([^/]+)/' },
      { path: '^adapters/[^/]+/', pathNot: '^adapters/$1/' },
    ),
    forbid(
      'only-the-start-loads-adapters',
      'The service is whole without them: settings name them, and the start loads those that are named.',
      {
        path: '^(contract|engine|service|backoffice|fleet|bank|sdk|cli|web|examples)/',
        pathNot: '[.]test',
      },
      { path: '^adapters/' },
    ),
    forbid(
      'settings-load-no-adapter',
      'A process that names no adapter does not read its code, nor the package of its provider.',
      { path: '^(start|scripts)/' },
      {
        path: '^adapters/',
        pathNot: '^adapters/settings[.]ts$',
        dependencyTypesNot: ['dynamic-import'],
      },
    ),
    forbid(
      'tests-are-not-product',
      'What runs in production never leans on a test.',
      {
        path: '^(contract|engine|service|backoffice|fleet|bank|adapters|sdk|cli)',
        pathNot: '[.]test',
      },
      { path: '^test|[.]test[.]' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'dist' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
};
