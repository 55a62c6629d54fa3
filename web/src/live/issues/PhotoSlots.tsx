import { MAX_ISSUE_PHOTOS } from '@roadshow/contract/catalog/truck-issues'
import { useState } from 'react'
import { FileUpload } from '../../ui/form/FileUpload.tsx'
import { Stack } from '../../ui/layout.tsx'

interface Slot {
  key: number
  /** Empty while a file is on its way. */
  uid: string | null
}

interface PhotoSlotsProps {
  /** The files' uids; an empty one stands for a file on its way. */
  value?: readonly string[]
  onChange?: (uids: string[]) => void
  /** Given by the form. */
  id?: string
}

/** Takes a few photos, one after the other: each that is there offers room for the next. */
export function PhotoSlots({ onChange, id }: PhotoSlotsProps) {
  const [slots, setSlots] = useState<readonly Slot[]>([{ key: 0, uid: null }])
  const put = (key: number, uid: string | null) => {
    const changed = slots.map((slot) => (slot.key === key ? { ...slot, uid } : slot))
    const filled = changed.filter((slot) => slot.uid !== null)
    const next = { key: Math.max(...slots.map((slot) => slot.key)) + 1, uid: null }
    const isRoomNeeded = filled.length === changed.length && filled.length < MAX_ISSUE_PHOTOS
    setSlots(isRoomNeeded ? [...changed, next] : changed)
    onChange?.(filled.flatMap(({ uid }) => uid ?? []))
  }
  return (
    <Stack gap={2}>
      {slots.map(({ key, uid }, index) => (
        <FileUpload
          key={key}
          purpose="issue"
          value={uid}
          onChange={(next) => put(key, next)}
          {...(id && index === 0 && { id })}
        />
      ))}
    </Stack>
  )
}
