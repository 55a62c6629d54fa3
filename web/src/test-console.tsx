import { auth } from '@roadshow/contract/accounts/sign-in'
import type { UserWithPermissions } from '@roadshow/contract/accounts/sign-in'
import { API_BASE, DATA_PART } from '@roadshow/contract/platform/constants'
import type { Endpoint, ReplyOf } from '@roadshow/contract/platform/endpoint'
import { errors } from '@roadshow/contract/platform/errors'
import type { ErrorBody } from '@roadshow/contract/platform/errors'
import { defaultModules } from '@roadshow/contract/platform/permissions'
import type { ModuleKey, Role } from '@roadshow/contract/platform/permissions'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { vi } from 'vitest'
import { createQueryClient } from './api/queryClient.ts'
import { keepSession } from './api/session.ts'
import { createConsole } from './app/router.tsx'
import type { Screen } from './app/screen.ts'
import { headerTools } from './header-tools.ts'
import { screens } from './screens.ts'
import { slots } from './slots.ts'
import { Notices } from './ui/notices.tsx'
import { SlotsContext } from './ui/slots.tsx'
import { ThemeProvider } from './ui/theme.tsx'

/** A call that the console made. */
export interface Sent {
  method: string
  path: string
  params: Record<string, string>
  query: URLSearchParams
  body: unknown
  /** The form of a multipart call; its data part is the body. */
  form: FormData | undefined
  headers: Headers
}

type Answer = (sent: Sent) => Response | Promise<Response>
interface Rule {
  method: string
  path: RegExp
  answer: Answer
}

const pattern = ({ path }: Endpoint) => {
  const parameter = (_: string, name: string) => `(?<${name}>${/uid$/i.test(name) ? '[0-9a-f-]{36}' : '[^/]+'})`
  return new RegExp(`^${API_BASE}/${path.replace(/\{(\w+)\}/g, parameter)}$`)
}

function bodyOf(sent: RequestInit['body']): Pick<Sent, 'body' | 'form'> {
  const form = sent instanceof FormData ? sent : undefined
  const text = form ? form.get(DATA_PART) : sent
  return { body: typeof text === 'string' ? JSON.parse(text) : undefined, form }
}

/** Stands for XMLHttpRequest where progress is wanted: everything is sent at once, by the fetch of the test. */
class SendingRequest extends EventTarget {
  upload = new EventTarget()
  status = 0
  responseText = ''
  private url = ''
  private readonly init: RequestInit & { headers: Headers } = { headers: new Headers() }

  open(method: string, url: string) {
    this.init.method = method
    this.url = url
  }
  setRequestHeader(name: string, value: string) {
    this.init.headers.set(name, value)
  }
  abort() {
    this.dispatchEvent(new Event('abort'))
  }
  async send(body: FormData) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 1 }))
    const response = await fetch(this.url, { ...this.init, body })
    Object.assign(this, { status: response.status, responseText: await response.text() })
    this.dispatchEvent(new Event('load'))
  }
}

/** The API as these tests see it: what each call answers, and what was sent to it. */
export function fakeApi() {
  const rules: Rule[] = []
  const sent: Sent[] = []
  vi.stubGlobal('XMLHttpRequest', SendingRequest)
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    const url = new URL(input, 'http://localhost')
    const method = init.method ?? 'GET'
    // The newest rule wins, so that a test can change its mind.
    const rule = rules.findLast((each) => each.method === method && each.path.test(url.pathname))
    if (!rule) return refusal('noSuchCall')
    const call: Sent = {
      method,
      path: url.pathname.slice(API_BASE.length + 1),
      params: { ...rule.path.exec(url.pathname)?.groups },
      query: url.searchParams,
      ...bodyOf(init.body),
      headers: new Headers(init.headers),
    }
    sent.push(call)
    return rule.answer(call)
  })
  return {
    answer<E extends Endpoint>(endpoint: E, reply: (sent: Sent) => ReplyOf<E>) {
      rules.push({ method: endpoint.method, path: pattern(endpoint), answer: (call) => Response.json(reply(call)) })
    },
    respond(endpoint: Endpoint, answer: Answer) {
      rules.push({ method: endpoint.method, path: pattern(endpoint), answer })
    },
    sentTo: (endpoint: Endpoint) =>
      sent.filter(({ method, path }) => method === endpoint.method && pattern(endpoint).test(`${API_BASE}/${path}`)),
  }
}

/** The first page of a list, and all there is. */
export const paged = <T,>(data: T[]) => ({ data, page: 1, pageSize: 10, total: data.length })

export type FakeApi = ReturnType<typeof fakeApi>

export const refusal = (code: ErrorBody['code'], more: Partial<ErrorBody> = {}) =>
  Response.json({ error: errors[code][1], code, ...more }, { status: errors[code][0] })

export const someUser = (role: Role, modules: readonly ModuleKey[] = defaultModules[role]): UserWithPermissions => ({
  userUid: '01900000-0000-7000-8000-000000000001',
  name: 'Avery Stone',
  email: 'avery@roadshow.example',
  role,
  photoUrl: null,
  roleAccess: modules.map((moduleKey) => ({ moduleKey })),
  preferences: { clock: null, companyClock: '12h', rowsPerPage: '10', columns: {}, menuPinned: false },
})

interface Opened {
  api: FakeApi
  user?: UserWithPermissions
  table?: readonly Screen[]
}

/** Opens the console at an address, signed in. */
export function openConsole(address: string, { api, user = someUser('admin'), table = screens }: Opened) {
  keepSession('a-token', user.userUid)
  api.answer(auth.me, () => ({ data: user }))
  return openSignedOut(address, table)
}

/** Opens the console at an address with whatever session the browser holds. */
export function openSignedOut(address: string, table: readonly Screen[] = screens) {
  const queries = createQueryClient()
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createConsole({ screens: table, header: headerTools, queries, history })
  render(
    <ThemeProvider>
      <QueryClientProvider client={queries}>
        <SlotsContext value={slots}>
          <Notices>
            <RouterProvider router={router} />
          </Notices>
        </SlotsContext>
      </QueryClientProvider>
    </ThemeProvider>,
  )
  return { router, history, queries, address: () => history.location.href }
}

/** A drawer or a question by its title. Ant Design gives all of them the same id in tests, so roles cannot name them. */
export async function findDialog(title: string): Promise<HTMLElement> {
  const found = await screen.findByText(title, { selector: '.ant-drawer-title, .ant-modal-title, article h1' })
  return found.closest<HTMLElement>('[role="dialog"], article') as HTMLElement
}
