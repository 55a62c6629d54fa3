import { MAX_CANVAS, sideProblems, truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import type {
  Canvas,
  PixelMapInput,
  PixelRectangle,
  PixelSides,
  TruckSide,
} from '@roadshow/contract/catalog/pixel-maps'
import { Button, Form, InputNumber } from 'antd'
import { useState } from 'react'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { Soft, Stack } from '../../ui/layout.tsx'
import { CanvasDrawing } from './CanvasDrawing.tsx'
import { builtSize } from './measures.ts'
import styles from './pixelMaps.module.css'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

const TestPatterns = lazyOverlay(() => import('./TestPatterns.tsx'))

const numbers = { x: 'X', y: 'Y', width: 'Width', height: 'Height' } as const
type NumberName = keyof typeof numbers

interface SidesFieldProps {
  /** The form gives these. */
  id?: string
  value?: PixelSides
  onChange?: (sides: PixelSides) => void
  onBlur?: () => void
}

// While a number is being typed there may be none.
const isWhole = (canvas: Partial<Canvas>): canvas is Canvas =>
  Number.isInteger(canvas.width) && Number.isInteger(canvas.height)

/**
 * Where the three sides lie in the canvas: numbers, and the drawing that follows them and can be moved itself. Without
 * `onChange` both are only read.
 */
export function SidesField({ id, value, onChange, onBlur }: SidesFieldProps) {
  const [testing, setTesting] = useState(false)
  const form = Form.useFormInstance<PixelMapInput>()
  const canvas: Partial<Canvas> = { width: Form.useWatch('width', form), height: Form.useWatch('height', form) }
  const pitchUm: number | undefined = Form.useWatch('pitchUm', form)
  if (!value) return null

  const change =
    onChange &&
    ((side: TruckSide, rectangle: Partial<PixelRectangle>) =>
      onChange({ ...value, [side]: { ...value[side], ...rectangle } }))
  const isDrawable = isWhole(canvas) && truckSides.every((side) => Object.values(value[side]).every(Number.isInteger))
  const problems = isDrawable ? sideProblems(canvas, value) : {}

  return (
    <Stack id={id} gap={3}>
      <SideNumbers
        sides={value}
        problems={problems}
        pitchUm={isDrawable ? pitchUm : undefined}
        onChange={change}
        onBlur={onBlur}
      />
      {isDrawable && (
        <CanvasDrawing canvas={canvas} sides={value} problems={problems} {...(change && { onChange: change })} />
      )}
      <div className={styles.below}>
        {change && <span>Drag a side to move it, its corner to size it; with Alt by single pixels.</span>}
        <Button disabled={!isDrawable} onClick={() => setTesting(true)}>
          Test patterns
        </Button>
      </div>
      {testing && isDrawable && <TestPatterns canvas={canvas} sides={value} onClose={() => setTesting(false)} />}
    </Stack>
  )
}

interface SideNumbersProps {
  sides: PixelSides
  problems: Partial<Record<TruckSide, string>>
  /** Undefined while the size on the truck cannot be told. */
  pitchUm: number | undefined
  /** Undefined where the numbers are only read. */
  onChange: ((side: TruckSide, rectangle: Partial<PixelRectangle>) => void) | undefined
  onBlur: (() => void) | undefined
}

const SideNumbers = ({ sides, problems, pitchUm, onChange, onBlur }: SideNumbersProps) => {
  const columns: FactColumn<TruckSide>[] = [
    { title: 'Side', render: (side) => truckSideLabel[side] },
    ...Object.entries(numbers).map(([name, label]) => ({
      title: label,
      render: (side: TruckSide) =>
        onChange ? (
          <InputNumber
            aria-label={`${truckSideLabel[side]}: ${label}`}
            aria-invalid={problems[side] !== undefined}
            value={sides[side][name as NumberName]}
            min={0}
            max={MAX_CANVAS}
            precision={0}
            controls={false}
            // Of its own: the field's error is about one side only.
            status={problems[side] ? 'error' : 'success'}
            onChange={(typed) => onChange(side, { [name]: typed })}
            onBlur={() => onBlur?.()}
          />
        ) : (
          sides[side][name as NumberName]
        ),
    })),
    {
      title: 'On the truck',
      from: 'tablet',
      render: (side) => (
        <Soft small className={styles.built} data-bad={problems[side] !== undefined}>
          {problems[side] ?? (pitchUm ? builtSize(sides[side], pitchUm) : '')}
        </Soft>
      ),
    },
  ]
  return (
    <FactTable
      columns={columns}
      rows={truckSides}
      rowKey={(side) => side}
      rowProps={(side) => ({ 'data-side': side })}
      className={`${styles.numbers} side-numbers`}
    />
  )
}
