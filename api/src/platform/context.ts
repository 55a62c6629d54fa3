import type { Env } from '../env.ts'
import type { Db } from './db/connection.ts'
import type { Signals } from './db/signals.ts'
import type { ReadDb } from './db/replica.ts'
import type { BlobStore } from './files/store.ts'
import type { Mailer } from './mail/mailer.ts'
import type { NodeLog } from './observability/log.ts'
import type { ExternalServices } from './runtime/external-services.ts'

/** The company as pages, mails and papers show it. The settings of the business change it while a node runs. */
export interface Brand {
  brandName: string
  /** The color of its line; the look's own unless it is set. */
  brandColor?: string | undefined
  brandLogoUid?: string | undefined
}

/** The settings that modules read; tests set the required ones only. */
type ModuleEnv = Brand &
  Pick<Env, 'publicUrl'> &
  Partial<
    Pick<
      Env,
      | 'geocoderUrl'
      | 'geotab'
      | 'mapFile'
      | 'tiles'
      | 'smtpUrl'
      | 'production'
      | 'isHttps'
      | 'allowIndexing'
      | 'singleSignOn'
      | 'isPasswordSignInOff'
    >
  > &
  Partial<Pick<Env, 'dataDir' | 'archiveAfterDays' | 'privateNetworks' | 'mailFrom' | 'contactEmail'>>

/** Everything a module works with. Every module gets the same object. */
export interface AppContext {
  db: Db
  /** Where reads go that a replica may answer. */
  reads: ReadDb
  blobs: BlobStore
  mailer: Mailer
  /** The services outside that a module uses report here whether they answer. */
  services: ExternalServices
  env: ModuleEnv
  /** Whether the demo fleet moves by itself. */
  isSimulated: boolean
  /** The HTML of a built entry of the web app; undefined where the web app is not served, as in tests of the API. */
  entryHtml: (name: string) => Promise<string | undefined>
}

/** What background work gets beside the context: a running node has more than an app that only answers calls. */
export interface NodeContext extends AppContext {
  /** For connections outside the pool. */
  databaseUrl: string
  signals: Signals
  log: NodeLog
}
