// The import rules of docs/architecture.md: contract <- api/{http,db,sockets} <- domains <- legacy <- app.

const swc = require('@swc/core')

// TypeScript 7 has no compiler API to parse with, so swc reads the files; dependency-cruiser 17 does not tell it which
// of them hold JSX (a TODO in its src/extract/swc/parse.mjs).
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('x') })

const apiFolders = 'http|db|sockets|jobs|demo|legacy'
const webFolders = 'app|api|ui|brand|legacy'
const apiDomain = `^api/src/(?!(?:${apiFolders})/)([^/]+)/`
const webDomain = `^web/src/(?!(?:${webFolders})/)[^/]+/`
const tests = '[.]test[.]tsx?$|/test-[^/]+[.]tsx?$'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Two files that need each other are one file, or miss a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circles-of-domains',
      severity: 'error',
      comment: 'A domain may use another, but not one that uses it.',
      scope: 'folder',
      from: { path: '^api/src/[^/]+$' },
      to: { circular: true, viaOnly: '^api/src/[^/]+$' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that leads nowhere.',
      from: {},
      // Packages of types alone have nothing to resolve to.
      to: { couldNotResolve: true, pathNot: '^(geojson|topojson-specification)$' },
    },
    {
      name: 'contract-imports-zod-only',
      severity: 'error',
      comment: 'The contract is shared by server, browser, simulator and tests.',
      from: { path: '^contract/src/', pathNot: tests },
      to: { pathNot: '^contract/src/|(^|/)node_modules/zod/' },
    },
    {
      name: 'api-kernel-knows-no-domain',
      severity: 'error',
      comment: 'http, db and sockets serve every domain, so they cannot know one.',
      from: { path: '^api/src/(http|db|sockets)/', pathNot: tests },
      to: { path: `${apiDomain}|^api/src/(legacy|jobs|demo)/|^api/src/(app|main)[.]ts$` },
    },
    {
      name: 'domain-through-its-index',
      severity: 'error',
      comment: "What another domain may use is in its index.ts; the app assembles the domains' routes.",
      from: { path: apiDomain, pathNot: tests },
      to: { path: apiDomain, pathNot: '^api/src/$1/|/index[.]ts$' },
    },
    {
      name: 'others-through-the-index',
      severity: 'error',
      comment: 'The old endpoints, jobs and demo data reshape what domains offer.',
      from: { path: '^api/src/(legacy|jobs|demo)/', pathNot: tests },
      to: { path: apiDomain, pathNot: '/index[.]ts$' },
    },
    {
      name: 'nothing-needs-legacy',
      severity: 'error',
      comment: 'With every legacy file deleted, the rest still compiles.',
      from: {
        path: '^(api|web|contract)/src/',
        pathNot: `/legacy/|^contract/src/index[.]ts$|^api/src/app[.]ts$|^web/src/(screens[.]ts|app/)|${tests}`,
      },
      to: { path: '^(api|web)/src/legacy/|^contract/src/legacy[.]ts$' },
    },
    {
      name: 'nothing-needs-the-app',
      severity: 'error',
      comment: 'Only what starts the app may import it.',
      from: { path: '^api/src/', pathNot: `^api/src/(main|app)[.]ts$|${tests}` },
      to: { path: '^api/src/(app|main)[.]ts$' },
    },
    {
      name: 'web-never-imports-api',
      severity: 'error',
      comment: 'They agree in the contract.',
      from: { path: '^web/src/' },
      to: { path: '^api/' },
    },
    {
      name: 'ui-knows-no-domain',
      severity: 'error',
      comment: 'ui/ has no domain word in it.',
      from: { path: '^web/src/ui/', pathNot: tests },
      to: { path: `${webDomain}|^web/src/legacy/` },
    },
    {
      name: 'public-page-stays-small',
      severity: 'error',
      comment: 'The public page loads none of the console.',
      from: { path: '^web/src/pop-display/', pathNot: tests },
      to: { path: '^web/src/(?!pop-display/)|(^|/)node_modules/(antd|@ant-design)/' },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      comment: 'What runs in production does not import test code.',
      from: { path: '^(contract|api|web)/src/', pathNot: tests },
      to: { path: tests },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // A test may use whatever it needs to set a scene.
    exclude: { path: `(^|/)(dist|dist-types)/|${tests}` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
}
