import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/queryClient.ts'
import { reportError, reportUncaught } from './api/error-log.ts'
import { createConsole } from './app/router.tsx'
import { showBrandColor } from './brand/brand.ts'
import { headerTools } from './header-tools.ts'
import { screens } from './screens.ts'
import { slots } from './slots.ts'
import './tokens.css'
import './ui/antd-overrides.css'
import { Notices } from './ui/notices.tsx'
import { SlotsContext } from './ui/slots.tsx'
import { ThemeProvider } from './ui/theme.tsx'

reportUncaught()
showBrandColor()

// The screen's code comes along while the user is being fetched; the router would begin only afterwards. In a task of
// its own: asking for its many parts takes as long as everything else here.
setTimeout(() => void screens.find(({ path }) => path === location.pathname)?.page())

const queries = createQueryClient()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no element to draw the console in.')

const drawn = createRoot(root, { onUncaughtError: (error) => void reportError('react', error) })
// In small steps, between which the browser may do other things.
startTransition(() =>
  drawn.render(
    <StrictMode>
      <ThemeProvider>
        <QueryClientProvider client={queries}>
          <SlotsContext value={slots}>
            <Notices>
              <RouterProvider router={createConsole({ screens, header: headerTools, queries })} />
            </Notices>
          </SlotsContext>
        </QueryClientProvider>
      </ThemeProvider>
    </StrictMode>,
  ),
)
