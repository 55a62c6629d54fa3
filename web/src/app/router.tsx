import { isPublicPath } from '@roadshow/contract/platform/permissions'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useLocation,
} from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import { queryString } from '../api/call.ts'
import { failAsMissingPart } from '../api/missing-parts.ts'
import { reportError } from '../api/error-log.ts'
import { ErrorPage } from './ErrorPage.tsx'
import { guardRoute } from './guard.ts'
import { Loading } from './Loading.tsx'
import { NotFound } from './NotFound.tsx'
import type { HeaderTools, Screen } from './screen.ts'
import { Shell } from './Shell.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    screen?: Screen
  }
}

/** `?state=active&state=retired&page=2`, as the API reads it: text, and lists of text for a name given more than once. */
function parseSearch(search: string): Record<string, string | string[]> {
  const params = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name)
      return [name, values.length > 1 ? values : (values[0] ?? '')]
    }),
  )
}

const stringifySearch = (search: Parameters<typeof queryString>[0]) => {
  const query = queryString(search)
  return query && `?${query}`
}

const withoutTrailingSlash = (path: string) => (path === '/' ? path : path.replace(/\/+$/, ''))

interface ConsoleParts {
  screens: readonly Screen[]
  header: HeaderTools
  queries: QueryClient
  /** The browser's own history, unless a test passes another. */
  history?: RouterHistory
}

/** The console as a router: one route per screen, all of them inside the shell and behind the guard. */
export function createConsole({ screens, header, queries, history }: ConsoleParts) {
  // The menu and the header are hidden on public pages, also where a public address names no page.
  const Layout = () => (isPublicPath(useLocation().pathname) ? <Outlet /> : <Shell screens={screens} tools={header} />)
  const root = createRootRoute({
    beforeLoad: ({ location }) => guardRoute(queries, screens, withoutTrailingSlash(location.pathname), location.href),
    component: Layout,
    pendingMs: 0,
  })
  const routes = screens.map((screen) =>
    createRoute({
      getParentRoute: () => root,
      path: screen.path,
      staticData: { screen },
      component: lazyRouteComponent(() => screen.page().catch(failAsMissingPart)),
    }),
  )
  // A route as any other: what opens beside a screen keeps its address, and does so here.
  const unknown = createRoute({ getParentRoute: () => root, path: '$', component: NotFound })
  return createRouter({
    routeTree: root.addChildren([...routes, unknown]),
    parseSearch,
    stringifySearch,
    defaultPendingComponent: Loading,
    // Until then the old screen stays, with the header's spinner beside its title.
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    defaultErrorComponent: ErrorPage,
    defaultOnCatch: (error) => void reportError('screen', error),
    ...(history && { history }),
  })
}
