// The import law of docs/architecture.md: imports run one way along the neighborhoods, in contract, API and web alike.

const swc = require('@swc/core')

// TypeScript 7 has no compiler API to parse with, so swc reads the files; dependency-cruiser 17 does not tell it which
// of them hold JSX (a TODO in its src/extract/swc/parse.mjs).
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('x') })

/** Each neighborhood, and the ones it may use besides itself. */
const mayUse = {
  platform: [],
  accounts: ['platform'],
  catalog: ['platform', 'accounts'],
  planning: ['platform', 'accounts', 'catalog'],
  live: ['platform', 'accounts', 'catalog', 'planning'],
  proof: ['platform', 'accounts', 'catalog', 'planning', 'live'],
  pay: ['platform', 'accounts', 'catalog', 'planning', 'live'],
  outreach: ['platform', 'accounts', 'catalog', 'planning', 'live', 'proof', 'pay'],
  console: ['platform', 'accounts', 'catalog', 'planning', 'live', 'proof', 'pay', 'outreach'],
}
const neighborhoods = Object.keys(mayUse)
const aboveAll = ['legacy', 'demo', 'cli']
const webPlatform = ['ui', 'app', 'api', 'brand']

const either = (/** @type {string[]} */ names) => `(?:${names.join('|')})`
const domain = `^api/src/(${either(neighborhoods.filter((name) => name !== 'platform'))}/[^/]+)/`
const tests = '[.]test[.]tsx?$|/test-[^/]+[.]tsx?$|^test-kit/'

/** A neighborhood imports nothing but what it may use: one rule for each, for its three addresses. */
const oneWay = Object.entries(mayUse).map(([name, allowed]) => {
  const refused = [...neighborhoods.filter((other) => other !== name && !allowed.includes(other)), ...aboveAll]
  return {
    name: `one-way-${name}`,
    severity: 'error',
    comment: `${name} may use ${allowed.join(', ') || 'no other neighborhood'}.`,
    from: { path: `^(contract|api|web)/src/${name}/`, pathNot: tests },
    to: { path: `^(contract|api|web)/src/${either(refused)}[/.]` },
  }
})

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
      from: { path: '^(api|web)/src/[^/]+/[^/]+$' },
      to: { circular: true, viaOnly: '^(api|web)/src/[^/]+/[^/]+$' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that leads nowhere.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'contract-imports-zod-only',
      severity: 'error',
      comment: 'The contract is shared by server, browser, player, simulator and tests.',
      from: { path: '^contract/src/', pathNot: tests },
      to: { pathNot: '^contract/src/|(^|/)node_modules/zod/' },
    },
    ...oneWay,
    {
      name: 'web-platform-knows-no-domain',
      severity: 'error',
      comment: 'ui, app, api and brand serve every screen and know none; main.tsx composes them.',
      from: { path: `^web/src/${either(webPlatform)}/`, pathNot: tests },
      to: { path: `^web/src/(${either([...neighborhoods, 'legacy'])}/|main[.]tsx$|screens[.]ts$)` },
    },
    {
      name: 'domain-through-its-index',
      severity: 'error',
      comment: 'What another domain may use is in its index.ts.',
      from: { path: domain, pathNot: tests },
      to: { path: domain, pathNot: '^api/src/$1/|/index[.]ts$' },
    },
    {
      name: 'others-through-the-index',
      severity: 'error',
      comment: 'The OLD group, the demo, the command line and the app use what domains offer.',
      from: { path: '^api/src/((legacy|demo|cli)/|(app|main)[.]ts$)', pathNot: tests },
      to: { path: domain, pathNot: '/index[.]ts$' },
    },
    {
      name: 'nothing-needs-legacy',
      severity: 'error',
      comment: 'With every legacy file deleted, the rest still compiles.',
      from: {
        path: '^(api|web|contract)/src/',
        pathNot: `/legacy/|^contract/src/index[.]ts$|^api/src/app[.]ts$|^web/src/screens[.]ts$|${tests}`,
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
      name: 'decoders-alone-decode',
      severity: 'error',
      comment: 'Files that users send are read in the tasks of decoders, which are JavaScript: SECURITY.md.',
      from: { path: '^api/src/.+[.]ts$', pathNot: tests },
      to: { path: '(^|/)node_modules/(sharp|exifr|file-type|read-excel-file|yauzl|fontkit)/' },
    },
    {
      name: 'web-never-imports-api',
      severity: 'error',
      comment: 'They agree in the contract.',
      from: { path: '^(web|player)/src/' },
      to: { path: '^api/' },
    },
    {
      name: 'public-page-stays-small',
      severity: 'error',
      comment:
        'The public page loads none of the console. The files that draw streets and write text on maps need Leaflet only.',
      from: { path: '^web/src/proof/public-page/', pathNot: tests },
      to: {
        path: '^web/src/(?!proof/public-page/|ui/map/(?:mapText|tile-source|tiles)[.]ts$)|(^|/)node_modules/(antd|@ant-design)/',
      },
    },
    {
      name: 'player-stays-small',
      severity: 'error',
      comment: 'The player on a truck uses the contract and carries none of the console.',
      from: { path: '^player/src/', pathNot: tests },
      to: { path: '^(api|web|simulator|bench|e2e)/|(^|/)node_modules/(antd|@ant-design)/' },
    },
    {
      name: 'player-core-uses-the-contract-only',
      severity: 'error',
      comment: 'The core runs in a browser and in the simulator: it has no packages of its own.',
      from: { path: '^player/src/core/', pathNot: tests },
      to: { pathNot: '^(player/src/core|contract/src)/' },
    },
    {
      name: 'simulator-speaks-protocols',
      severity: 'error',
      comment: 'The simulator comes in by the protocols of real devices, and its players run the core of the real one.',
      from: { path: '^simulator/src/', pathNot: tests },
      to: { path: '^(api|web|bench|e2e|player/src/(?!core/))/?' },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      comment: 'Code that runs in production does not import test code.',
      from: { path: '^(contract|api|web|player|simulator)/src/', pathNot: tests },
      to: { path: tests },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // A test may use whatever it needs to set a scene.
    exclude: { path: `^[^/]+/(dist|dist-types|dist-core)/|${tests}` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
}
