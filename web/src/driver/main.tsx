import '../tokens.css'
import './ui/driver.css'
import { createRoot } from 'react-dom/client'
import { reportUncaught } from '../api/web-log.ts'
import { App } from './App.tsx'
import { AppContext } from './context.ts'
import { DriverApp } from './driver-app.ts'
import { openNotifications } from './notifications.ts'
import { DriverDatabase } from './queue/database.ts'
import { transport } from './queue/transport.ts'
import { ErrorBoundary } from './ui/ErrorBoundary.tsx'
import { startUpdates } from './updates.ts'

reportUncaught()
const app = new DriverApp(new DriverDatabase(), transport)
openNotifications()
void app.start()
void startUpdates().catch(() => undefined)

createRoot(document.querySelector('#root')!).render(
  <ErrorBoundary>
    <AppContext value={app}>
      <App />
    </AppContext>
  </ErrorBoundary>,
)
