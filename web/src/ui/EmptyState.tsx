import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../api/user.ts'
import { brandName } from '../brand/brand.ts'
import { DrawnTruck } from '../brand/DrawnTruck.tsx'
import { Row } from './layout.tsx'
import { LinkButton } from './LinkButton.tsx'
import type { NextStep } from './record/records.ts'
import styles from './states.module.css'

/** The screen that reads spreadsheets. A console without it offers no import. */
const IMPORT_PATH = '/import'

/** Kinds of record that a spreadsheet can bring in. */
export type ImportKind =
  | 'clients'
  | 'markets'
  | 'pay-rates'
  | 'programs'
  | 'sd-addresses'
  | 'shifts'
  | 'trucks'
  | 'users'

/** A step that is taken on another screen, offered to users who may make its call. */
export type StepElsewhere = Extract<NextStep, { to: string }>

interface EmptyStateProps {
  /** What belongs here, or why nothing is there. */
  children: string
  /** The next step, where it is taken on this screen. */
  action?: ReactNode
  /** The next step on another screen. */
  next?: StepElsewhere | undefined
  /** What a spreadsheet can fill this with, for users who may add it. */
  imports?: { kind: ImportKind; needs: Endpoint } | undefined
}

/** Nothing to show: what this is for, and the buttons that help. */
export function EmptyState({ children, action, next, imports }: EmptyStateProps) {
  const { routesByPath } = useRouter()
  const hasImport = IMPORT_PATH in routesByPath
  return (
    <div className={styles.empty} data-empty>
      <DrawnTruck says={brandName()} width={200} />
      <p>{children}</p>
      <Row gap={3} lineGap={2} align="center" wrap>
        {action}
        {next && <StepLink {...next} isMain={!action} />}
        {imports && hasImport && (
          <StepLink
            label="Import from a spreadsheet"
            needs={imports.needs}
            to={IMPORT_PATH}
            search={{ kind: imports.kind }}
          />
        )}
      </Row>
    </div>
  )
}

function StepLink({ label, needs, to, search, isMain = false }: StepElsewhere & { isMain?: boolean }) {
  const may = useMay(needs)
  if (!may) return null
  return (
    <LinkButton to={to} search={search} isMain={isMain}>
      {label}
    </LinkButton>
  )
}
