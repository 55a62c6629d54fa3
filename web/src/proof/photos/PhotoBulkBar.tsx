import { photoStatusLabel, pops } from '@roadshow/contract/proof/pop'
import type { PhotoStatus } from '@roadshow/contract/proof/pop'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { countOf, formatCount } from '../../ui/numbers.ts'
import { useSavePop } from './refreshPops.ts'
import styles from './PhotoBulkBar.module.css'

/** Approves, hides and deletes one or several photos, with a notice of the result. */
export function usePhotoActions() {
  const setStatus = useSavePop(pops.setPhotoStatus)
  const removePhoto = useSavePop(pops.removePhoto)
  const notice = useNotice()
  return {
    isBusy: setStatus.isPending || removePhoto.isPending,
    async set(uids: string[], status: PhotoStatus) {
      try {
        const { data } = await setStatus.mutateAsync({ body: { uids, status } })
        notice(`${countOf(data.changed, 'photo')}: ${photoStatusLabel[status].toLowerCase()}.`)
      } catch (error) {
        notice(errorMessage(error), 'bad')
      }
    },
    async remove(uids: string[]) {
      let removed = 0
      try {
        for (const uid of uids) {
          await removePhoto.mutateAsync({ params: { uid } })
          removed++
        }
        notice(`${countOf(removed, 'photo')} deleted.`)
      } catch (error) {
        notice(`${removed > 0 ? `${countOf(removed, 'photo')} deleted. ` : ''}${errorMessage(error)}`, 'bad')
      }
    },
  }
}

export const DELETE_PHOTO_EFFECT = 'It is removed from the POP. Published versions keep it.'

interface BulkBarProps {
  chosen: readonly string[]
  total: number
  onAll: () => void
  onNone: () => void
}

/** The actions on the selected photos. */
export function PhotoBulkBar({ chosen, total, onAll, onNone }: BulkBarProps) {
  const acts = usePhotoActions()
  const [asking, setAsking] = useState(false)
  const uids = [...chosen]
  const set = async (status: PhotoStatus) => {
    await acts.set(uids, status)
    onNone()
  }
  const remove = async () => {
    await acts.remove(uids)
    setAsking(false)
    onNone()
  }
  if (chosen.length === 0) return null
  return (
    <div role="toolbar" aria-label="Selected photos" className={styles.bulk}>
      <strong className="figures">{countOf(chosen.length, 'photo')} selected</strong>
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
      <span className={styles.apart}>
        {chosen.length < total && (
          <Button size="small" type="text" onClick={onAll}>
            Select all {formatCount(total)}
          </Button>
        )}
        <Button size="small" type="text" onClick={onNone}>
          Clear selection
        </Button>
      </span>
      <Confirm
        open={asking}
        question={`Delete ${countOf(chosen.length, 'photo')}?`}
        text={DELETE_PHOTO_EFFECT}
        act="Delete"
        busy={acts.isBusy}
        onAct={() => void remove()}
        onCancel={() => setAsking(false)}
      />
    </div>
  )
}
