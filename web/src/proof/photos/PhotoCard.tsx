import { pops } from '@roadshow/contract/proof/pop'
import type { PhotoStatus, PopPhoto } from '@roadshow/contract/proof/pop'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { Row, Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { oneLine } from '../../ui/rows/oneLine.ts'
import { Picture } from './Picture.tsx'
import { GradeTag, PhotoStatusTag } from './photoTags.tsx'
import shared from './photos.module.css'

/** The title of a photo. */
export const photoTitle = ({ caption, name }: PopPhoto) => caption || name

const photoInputOf = ({ uid, version, caption, status, market, shift }: PopPhoto) => ({
  uid,
  version,
  caption,
  status,
  marketUid: market?.uid ?? null,
  shiftUid: shift?.uid ?? null,
})

/** Saves one photo with something changed. */
export function useSavePhoto() {
  const save = useSave(pops.updatePhoto)
  const notice = useNotice()
  return async (photo: PopPhoto, changed: Partial<ReturnType<typeof photoInputOf>>) => {
    try {
      await save.mutateAsync({ body: { ...photoInputOf(photo), ...changed } })
    } catch (error) {
      notice(errorMessage(error), 'bad')
      throw error
    }
  }
}

/** A caption edited in place: saved on Enter or when the field is left. */
export function CaptionField({ photo }: { photo: PopPhoto }) {
  const save = useSavePhoto()
  const [typed, setTyped] = useState<string>()
  const keep = async () => {
    const caption = typed?.trim()
    try {
      if (caption !== undefined && caption !== photo.caption) await save(photo, { caption })
      // The user may have typed on while it was saved.
      setTyped((now) => (now === typed ? undefined : now))
    } catch {
      // A notice says why. The text stays, and is saved when the field is left again.
    }
  }
  return (
    <Input.TextArea
      size="small"
      autoSize={{ minRows: 1, maxRows: 4 }}
      variant="filled"
      placeholder="Caption"
      aria-label={`Caption of ${photo.name}`}
      maxLength={300}
      value={typed ?? photo.caption}
      onChange={({ target }) => setTyped(oneLine(target.value))}
      onBlur={() => void keep()}
      onPressEnter={(event) => {
        event.preventDefault()
        event.currentTarget.blur()
      }}
      onKeyDown={({ key }) => key === 'Escape' && setTyped(undefined)}
    />
  )
}

/** The status changes of a photo, with their buttons. */
export const photoStatusActions: Record<PhotoStatus, readonly [status: PhotoStatus, act: string][]> = {
  waiting: [
    ['approved', 'Approve'],
    ['hidden', 'Hide'],
  ],
  approved: [['hidden', 'Hide']],
  hidden: [['approved', 'Approve']],
}

interface PhotoCardProps {
  photo: PopPhoto
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onOpen: () => void
  onStatus: (status: PhotoStatus) => void
  /** The drag handle. */
  handle: ReactNode
}

/** A photo in a grid, with its grade and actions. */
export const PhotoCard = ({ photo, isChosen, onChoose, onOpen, onStatus, handle }: PhotoCardProps) => (
  <>
    <button type="button" className={shared.open} onClick={onOpen} aria-label={`Open ${photoTitle(photo)}`}>
      <Picture photo={photo} alt="" />
    </button>
    <span className={shared.corner}>
      <Checkbox
        checked={isChosen}
        onChange={({ target }) => onChoose(target.checked)}
        aria-label={`Select ${photoTitle(photo)}`}
      />
    </span>
    <span className={shared.corner} data-end="true">
      {handle}
    </span>
    <div className={shared.facts}>
      <Row as="span" gap={3} lineGap={0} align="center" wrap>
        <PhotoStatusTag status={photo.status} />
        <GradeTag grade={photo.grade} />
      </Row>
      <Soft small title={photo.reason}>
        {photo.reason}
      </Soft>
      <CaptionField photo={photo} />
      <span className={shared.cardActs}>
        {photoStatusActions[photo.status].map(([status, act]) => (
          <Button key={status} size="small" onClick={() => onStatus(status)} aria-label={`${act} ${photoTitle(photo)}`}>
            {act}
          </Button>
        ))}
      </span>
    </div>
  </>
)
