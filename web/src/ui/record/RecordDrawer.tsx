import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Drawer } from 'antd'
import { useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { lazyPart } from '../lazyPart.tsx'
import { ErrorState, SkeletonLines } from '../states.tsx'
import { useFocusReturn } from './useFocusReturn.ts'
import { NEW_RECORD } from '../useListState.ts'

/** What every record's form gets from the list it stands in. */
export interface RecordFormProps {
  /** Undefined for a new record. */
  uid: string | undefined
  open: boolean
  /** A record of many parts has a page instead of a drawer. */
  frame?: 'page'
  onClose: () => void
  /** The drawer is out of sight: its form may go. */
  onClosed: () => void
}

/** The drawer of a record, loaded when the first is opened: `lazyForm(() => import('./TruckForm.tsx'))`. */
export const lazyForm = (load: () => Promise<{ default: ComponentType<RecordFormProps> }>) =>
  lazyPart(load, {
    waiting: (props) => (
      <Frame title="Loading…" {...props}>
        <SkeletonLines />
      </Frame>
    ),
    failed: ({ error, retry }, props) => (
      <Frame title="Not loaded" {...props}>
        <ErrorState error={error} onRetry={retry} />
      </Frame>
    ),
  })

const Frame = ({
  title,
  open,
  onClose,
  onClosed,
  children,
}: RecordFormProps & { title: string; children: ReactNode }) => (
  <Drawer
    open={open}
    onClose={onClose}
    afterOpenChange={(isOpen) => !isOpen && onClosed()}
    size={DRAWER_WIDTH}
    title={title}
  >
    {children}
  </Drawer>
)

interface RecordDrawerProps {
  form: ComponentType<RecordFormProps>
  /** The record's uid, or `new`. */
  open: string | undefined
  onClose: () => void
}

/** The drawer of the record that the address names. It stays until it has slid away; each opening is a form of its own. */
export function RecordDrawer({ form: Form, open, onClose }: RecordDrawerProps) {
  const [shown, setShown] = useState({ open, record: open, opening: 0 })
  if (open !== shown.open) {
    setShown({ open, record: open ?? shown.record, opening: shown.opening + (open === undefined ? 0 : 1) })
  }
  useFocusReturn(open !== undefined)
  if (shown.record === undefined) return null
  const drawer = { open: open !== undefined, onClose }
  return (
    <Form
      key={shown.opening}
      {...drawer}
      uid={shown.record === NEW_RECORD ? undefined : shown.record}
      onClosed={() => setShown((now) => (now.open === undefined ? { ...now, record: undefined } : now))}
    />
  )
}
