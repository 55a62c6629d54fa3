import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import type * as z from '@roadshow/contract/platform/zod'
import { Checkbox, Form, Input } from 'antd'
import { DayPicker } from '../../../ui/form/DayPicker.tsx'
import { Field, RowContext } from '../../../ui/form/fields.tsx'
import { List, Row, Soft } from '../../../ui/layout.tsx'
import type { FieldsOf } from '../../../ui/text/words.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import { PopSectionForm } from './PopSectionForm.tsx'
import { useReorder } from '../../../ui/rows/useReorder.ts'
import reorder from '../../../ui/rows/reorder.module.css'
import { ListErrors } from '../../../ui/form/EditForm.tsx'
import styles from './PopEditor.module.css'

type MarketsInput = Pick<z.input<typeof pops.saveMarkets.body>, 'markets'>

const fields: FieldsOf<MarketsInput> = { markets: 'Markets' }

const toInput = ({ markets }: Pop): MarketsInput => ({
  markets: markets.map(({ market, headline, text, startsOn, endsOn, isShown }) => ({
    marketUid: market.uid,
    headline,
    text,
    startsOn,
    endsOn,
    isShown,
  })),
})

/** The markets of the page, in order. */
export function MarketsTab({ pop }: { pop: Pop }) {
  if (pop.markets.length === 0) return <Soft as="p">The program has no markets yet.</Soft>
  return (
    <PopSectionForm<MarketsInput>
      pop={pop}
      noun="markets"
      endpoint={pops.saveMarkets}
      fields={fields}
      toInput={toInput}
    >
      <Soft as="p">Each market is a chapter. Drag one by its handle, or move it with the arrow keys.</Soft>
      <Form.List name="markets">
        {(rows, { move }, { errors }) => (
          <>
            <Chapters pop={pop} places={rows.map(({ name }) => name)} onMove={move} />
            <ListErrors errors={errors} />
          </>
        )}
      </Form.List>
    </PopSectionForm>
  )
}

interface ChaptersProps {
  pop: Pop
  places: readonly number[]
  onMove: (from: number, to: number) => void
}

function Chapters({ pop, places, onMove }: ChaptersProps) {
  const form = Form.useFormInstance<MarketsInput>()
  const uids = places.map((index) => String(form.getFieldValue(['markets', index, 'marketUid'])))
  const marketOf = (uid: string) => pop.markets.find(({ market }) => market.uid === uid)
  const nameOf = (uid: string) => marketOf(uid)?.market.name ?? ''
  const { list, announcement, place, handle } = useReorder({ ids: uids, nameOf, onMove })
  return (
    <>
      <List as="ol" ref={list as never} gap={3}>
        {uids.map((uid, index) => (
          <li key={uid} {...place(uid)} className={`${styles.chapter} pop-chapter`}>
            <RowContext value={{ list: 'markets', index }}>
              <Row gap={3} align="center" lastRight below={3} className={styles.chapterHead}>
                <button {...handle(uid)} className={reorder.handle} />
                <h3>{nameOf(uid)}</h3>
                <Soft className="figures">{photosText(marketOf(uid)?.photos ?? 0)}</Soft>
                <Form.Item name={[index, 'isShown']} valuePropName="checked" noStyle>
                  <Checkbox aria-label={`${nameOf(uid)} is shown`}>Shown</Checkbox>
                </Form.Item>
              </Row>
              <Field name="headline" label="Headline">
                <Input maxLength={160} />
              </Field>
              <Field name="text" label="Text">
                <Input.TextArea maxLength={5000} autoSize={{ minRows: 2, maxRows: 10 }} />
              </Field>
              <div className={styles.pair}>
                <Field name="startsOn" label="Starts on">
                  <DayPicker placeholder="Same as program" />
                </Field>
                <Field name="endsOn" label="Ends on">
                  <DayPicker placeholder="Same as program" />
                </Field>
              </div>
            </RowContext>
          </li>
        ))}
      </List>
      <p role="status" className={reorder.announcement}>
        {announcement}
      </p>
    </>
  )
}

const photosText = (photos: number) => countOf(photos, 'photo')
