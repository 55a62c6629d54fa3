import type { PhotoStatus, PopPhoto } from '@roadshow/contract/proof/pop'
import { Button } from 'antd'
import { useState } from 'react'
import { Confirm } from '../../ui/Confirm.tsx'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import type { PhotoMarkets } from './usePhotoActions.tsx'
import { usePhotoActions } from './usePhotoActions.tsx'
import { BulkBar } from '../../ui/list/BulkBar.tsx'

export const DELETE_PHOTO_EFFECT = 'It is removed from the POP. Published versions keep it.'

interface PhotoBulkBarProps {
  chosen: readonly PopPhoto[]
  markets: PhotoMarkets
  total: number
  onAll: () => void
  onNone: () => void
}

/** The actions on the selected photos. */
export function PhotoBulkBar({ chosen, markets, total, onAll, onNone }: PhotoBulkBarProps) {
  const acts = usePhotoActions()
  const [asking, setAsking] = useState(false)
  const set = async (status: PhotoStatus) => {
    if (await acts.set(chosen, status, markets)) onNone()
  }
  const remove = async () => {
    await acts.remove(chosen)
    setAsking(false)
    onNone()
  }
  if (chosen.length === 0) return null
  return (
    <BulkBar
      label="Selected photos"
      count={countOf(chosen.length, 'photo')}
      onNone={onNone}
      more={
        chosen.length < total && (
          <Button size="small" type="text" onClick={onAll}>
            Select all {formatCount(total)}
          </Button>
        )
      }
    >
      <Button size="small" onClick={() => void set('approved')} disabled={acts.isBusy}>
        Approve
      </Button>
      <Button size="small" onClick={() => void set('hidden')} disabled={acts.isBusy}>
        Hide
      </Button>
      <Button size="small" onClick={() => void set('waiting')} disabled={acts.isBusy}>
        Back to waiting
      </Button>
      <Button size="small" danger onClick={() => setAsking(true)} disabled={acts.isBusy}>
        Delete
      </Button>
      {acts.marketQuestion}
      <Confirm
        open={asking}
        question={`Delete ${countOf(chosen.length, 'photo')}?`}
        text={DELETE_PHOTO_EFFECT}
        act="Delete"
        busy={acts.isBusy}
        onAct={() => void remove()}
        onCancel={() => setAsking(false)}
      />
    </BulkBar>
  )
}
