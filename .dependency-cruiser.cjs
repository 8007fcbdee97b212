/** Who may import whom (see docs/decisions/layout.md). Each rule says why. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid(
      'no-circles',
      'A circle has no first file to read. Types count: they are read like the rest.',
      {},
      { circular: true },
    ),
    forbid(
      'contract-stands-alone',
      'The interface is data that everybody reads; it knows nobody.',
      { path: '^contract', pathNot: '^contract/emit|[.]test' },
      { path: '.', pathNot: ['^contract', 'node_modules/typebox'] },
    ),
    forbid(
      'core-knows-no-resource',
      'The engine serves every resource and must not lean on one.',
      { path: '^engine', pathNot: '[.]test' },
      { path: '^service/(?!core|db/(?:pool|exchange))' },
    ),
    forbid(
      'rails-are-ports',
      'A module of production implements them, so they say what the outside does and nothing of how the service uses it.',
      { path: '^service/rails', pathNot: '[.]test' },
      { path: '^service/(?!rails|core)' },
    ),
    forbid(
      'resources-stay-below',
      'Jobs, flows, webhooks and the other parts above use the resources; a resource that knew them could not be read alone.',
      { path: '^service/resources', pathNot: '[.]test' },
      {
        path: [
          '^service/(webhooks|jobs|inbound|flows|portal|sandbox|tenants|invariants|operations|config)/',
          '^service/[^/]+[.]ts',
        ],
      },
    ),
    forbid(
      'webhooks-only-deliver',
      'Delivery reads events and sends them: whatever else it needs of the service is in core, or is given to it.',
      { path: '^service/webhooks', pathNot: '[.]test' },
      { path: '^service/(?!webhooks|core|resources)' },
    ),
    forbid(
      'operations-only-watch',
      'What is measured must not depend on its measurement, nor the other way.',
      { path: '^service/operations', pathNot: '[.]test' },
      { path: '^service/(?!operations|core|config)' },
    ),
    forbid(
      'only-the-start-knows-the-composition',
      'These files put the parts together; a part that imported them would import all others.',
      {
        path: '^service/[^/]+/',
        pathNot: '[.]test',
      },
      { path: '^service/(app|run|workers|composition)[.]ts' },
    ),
    forbid(
      'only-the-composition-knows-the-sandbox',
      'Production is the same code without service/sandbox.',
      { path: '^service', pathNot: '^service/(sandbox/|app|composition)|[.]test' },
      { path: '^service/sandbox/' },
    ),
    forbid(
      'clients-know-the-contract-alone',
      'SDK and CLI must work against any deployment.',
      { path: '^(sdk|cli)', pathNot: '[.]test' },
      { path: '^service' },
    ),
    forbid(
      'the-shop-is-a-tenant',
      'Corner Shop shows what any Tenant can build, so it imports the two SDKs and nothing else of ours.',
      { path: '^examples', pathNot: '[.]test' },
      {
        path: '^(contract|service|start|cli|web|bench|scripts|sdk)/',
        pathNot: '^sdk/[a-z]+/index[.]ts',
      },
    ),
    forbid(
      'only-the-starter-knows-the-shop',
      'The service is complete without its example: `start` puts the two on one port in a sandbox.',
      { path: '^(contract|service|sdk|cli)', pathNot: '[.]test' },
      { path: '^(web|examples|start)/' },
    ),
    forbid(
      'tests-are-not-product',
      'What runs in production never leans on a test.',
      { path: '^(contract|service|sdk|cli)', pathNot: '[.]test' },
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
