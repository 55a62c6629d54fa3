import type { Metric } from 'prom-client'
import type { CredentialSource } from './credentials.ts'
import type { DependentSource } from './dependent-source.ts'
import type { App } from './http/app.ts'
import type { NameColumns } from './db/name-columns.ts'
import type { DbErrors } from './http/error-reply.ts'
import type { PublicPages } from './http/pages.ts'
import type { ImportKind } from './import-kind.ts'
import type { Job } from './jobs/define-job.ts'
import type { TableLifetimes } from './lifetimes/lifetime.ts'
import type { BeforeSending, Channel } from './outbox/channel.ts'
import type { EventHandler } from './outbox/events.ts'
import type { OpenSocketModule } from './sockets/index.ts'
import type { Watch } from './watcher/watch.ts'
import type { AppContext, NodeContext } from './context.ts'

/** Work that runs from start to stop and paces itself. Work at an interval is a job. */
export interface Service {
  stop(): Promise<void>
}

export interface Module {
  /** The module's folder below api/src. */
  name: string
  /** The tables that only files of this module's folder write, and how long they keep their rows. */
  tables?: TableLifetimes
  routes?: (app: App, context: AppContext) => void | Promise<void>
  sockets?: (app: App) => OpenSocketModule
  jobs?: readonly Job[]
  /** Conditions that raise something once they have lasted, and resolve it when they are over. */
  watches?: readonly Watch[]
  /** Starts a service, or answers undefined where the settings ask for none. */
  service?: (context: NodeContext) => Service | undefined
  /** The ways out of the building that the module knows. */
  channels?: (context: AppContext) => readonly Channel[]
  /** Checks messages at the moment they are sent, because rights may have ended while they waited. */
  beforeSending?: BeforeSending
  /** Make messages of what happened in other modules. */
  eventHandlers?: readonly EventHandler[]
  dbErrors?: DbErrors
  /** How the History tab names the records of the module's tables, where people know them by another column than `name`. */
  nameColumns?: NameColumns
  metrics?: readonly Metric[]
  /** The kinds of credentials that the module keeps for users. */
  credentials?: readonly CredentialSource[]
  /** What of the module's tables can hang on records of others, to be asked before one is deleted. */
  dependents?: readonly DependentSource[]
  /** Records of the module that are imported from spreadsheets. */
  imports?: readonly ImportKind[]
  /** Public pages that the module renders itself. */
  pages?: (context: AppContext) => Promise<PublicPages>
  /** Removes secrets from the path of a call before it is logged. */
  redactPath?: (path: string) => string
}

/** Declares one domain: app.ts composes modules, and nothing else registers anything. */
export const defineModule = (module: Module): Module => module
