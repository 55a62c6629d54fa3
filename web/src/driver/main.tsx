import './ui/driver.css'
import { createRoot } from 'react-dom/client'
import { reportUncaught } from '../api/error-log.ts'
import { App } from './App.tsx'
import { AppContext } from './context.ts'
import { DriverApp } from './driver-app.ts'
import { openNotifications } from './notifications.ts'
import { DriverDatabase } from './queue/database.ts'
import { transport } from './queue/transport.ts'
import { ErrorBoundary } from './ui/ErrorBoundary.tsx'
import { startUpdates } from './updates.ts'

/** How long the page as it was sent stands for a day that loads. */
const SHELL_MS = 1000

reportUncaught()
const app = new DriverApp(new DriverDatabase(), transport)
openNotifications()

function show(): void {
  createRoot(document.querySelector('#root')!).render(
    <ErrorBoundary>
      <AppContext value={app}>
        <App />
      </AppContext>
    </ErrorBoundary>,
  )
}

/** Settles when there is a day to show, or none will come. */
const loaded = new Promise<void>((resolve) => {
  const stop = app.holder.subscribe(() => {
    if (app.holder.read().isLoading) return
    stop()
    resolve()
  })
})
void app.start()
void Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, SHELL_MS))]).then(show)
// The worker loads the whole app, which on a slow network would take the place of the day.
void loaded.then(startUpdates).catch(() => undefined)
