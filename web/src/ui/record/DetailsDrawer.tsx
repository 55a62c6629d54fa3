import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import type { useRecord } from '../../api/useRecord.ts'
import type { RecordFormProps } from './RecordDrawer.tsx'
import { ErrorState, SkeletonLines } from '../states.tsx'

interface DetailsDrawerProps extends RecordFormProps {
  /** The record, as far as it is loaded; none is for a new one. */
  found: Pick<ReturnType<typeof useRecord>, 'isError' | 'error' | 'isPending' | 'refetch'>
  title: string
  size?: number | string
  children: ReactNode
}

/** The drawer of a record that is looked at rather than edited, with what it says while the record is loaded. */
export const DetailsDrawer = ({
  uid,
  open,
  onClose,
  onClosed,
  found,
  title,
  size = DRAWER_WIDTH,
  children,
}: DetailsDrawerProps) => (
  <Drawer
    open={open}
    onClose={onClose}
    // The form of a new record focuses its first field.
    // oxlint-disable-next-line jsx-a11y/no-autofocus
    autoFocus={uid !== undefined}
    focusable={{ focusTriggerAfterClose: false }}
    afterOpenChange={(isOpen) => !isOpen && onClosed()}
    size={size}
    title={title}
  >
    {uid !== undefined && found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
    {uid !== undefined && found.isPending && <SkeletonLines rows={9} />}
    {children}
  </Drawer>
)
