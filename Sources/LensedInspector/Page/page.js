'use strict';
// A session, to be looked at.
//
// 1. Reading: each record is a line of JSON. Of a commit no more is kept than its row shows; what it changed is parsed
//    again when it is asked for.
// 2. States: the nearest snapshot before, and what the commits since then changed.
// 3. Sight: rows, trees and differences exist for what can be seen. Every value goes into the document as text.

// MARK: Reading

const session = {
  head: { parts: [], actions: [], owners: [] },
  lines: [],       // the text of each record
  commits: [],     // the rows, in the order of the session
  snapshots: [],   // {index, line}: before the commit at `index`
  byRevision: new Map(),
  children: new Map(),
  runs: new Map(),
  notes: new Map(),      // those of commits that are yet to come
  origins: new Set(),
};

const textLimit = 300;

function ingest(line) {
  let record;
  try { record = JSON.parse(line); } catch { return; }
  if (record === null || typeof record !== 'object') return;
  const number = session.lines.push(line) - 1;
  switch (record.record) {
    case 'head':
      session.head = {
        ...record, parts: objects(record.parts), actions: objects(record.actions), owners: objects(record.owners),
      };
      break;
    case 'snapshot':
      // Another store counts its commits anew.
      if (record.begins === true) session.byRevision.clear();
      session.snapshots.push({ index: session.commits.length, line: number });
      break;
    case 'commit': addCommit(record, number); break;
    case 'run': addRun(record); break;
    case 'note': addNote(record); break;
  }
}

function list(value) { return Array.isArray(value) ? value : []; }
function isObject(value) { return value !== null && typeof value === 'object' && !Array.isArray(value); }
function objects(value) { return list(value).filter(isObject); }
function members(value) { return isObject(value) ? Object.entries(value) : []; }
function text(value) { return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value); }

function addCommit(record, line) {
  const actions = objects(record.actions);
  const names = actions.map(nameOf);
  const first = actions[0];
  const shown = first === undefined || first.hidden === true ? ''
    : first.value === undefined ? text(first.text) : brief(first.value);
  const parent = typeof record.parent === 'number' && record.parent < record.revision ? record.parent : undefined;
  // What sets off a commit comes before it, so there are no circles.
  const above = parent === undefined ? undefined : session.byRevision.get(parent);
  const cause = text(record.cause);
  const origin = cause === 'action' ? record.origin ?? (record.effect ? 'effect' : 'dispatch') : cause;
  const commit = {
    index: session.commits.length, line,
    revision: Number(record.revision) || 0, time: Number(record.time) || 0,
    cause, origin, effect: record.effect === undefined ? undefined : text(record.effect),
    parent, above, depth: above === undefined ? 0 : Math.min(session.commits[above].depth + 1, 7),
    site: text(record.site), fn: text(record.function),
    isError: record.unhandled === true, isReplayed: record.replayed === true,
    name: names.length === 0 ? titles[cause] ?? cause : names.length > 1 ? `${names[0]} and ${names.length - 1} more` : names[0],
    shown: shown.slice(0, textLimit),
    parts: members(record.changed).map(([name]) => name),
    notes: [],
  };
  commit.key = [
    names.join(' '), commit.shown, commit.effect ?? '', commit.site, commit.fn, commit.parts.join(' '), origin,
  ].join(' ').toLowerCase();
  session.byRevision.set(commit.revision, commit.index);
  session.origins.add(origin);
  if (above !== undefined) {
    const children = session.children.get(above);
    if (children) children.push(commit.index); else session.children.set(above, [commit.index]);
  }
  session.commits.push(commit);
  for (const note of session.notes.get(commit.revision) ?? []) attach(note, commit);
  session.notes.delete(commit.revision);
  if (commit.effect !== undefined && above !== undefined) extendRun(commit);
}

// A table of words has no others than its own.
function words(table) { return Object.assign(Object.create(null), table); }

const titles = words({
  replacement: 'State replaced', asyncResult: 'Result of an asynchronous reducer', placeholder: 'Placeholder',
});

// A value of an action as its type is written in Swift: `add("book")` for a case, `by: 2` for properties.
function brief(json) {
  if (!isObject(json)) return shortened(json);
  const entries = Object.entries(json);
  if (entries.length === 1 && isObject(entries[0][1])) return `${entries[0][0]}${labelled(entries[0][1], true)}`;
  return labelled(json, false);
}

// JSON of which no more is made than is shown.
function shortened(json) {
  if (typeof json === 'string') return JSON.stringify(json.slice(0, textLimit));
  if (Array.isArray(json)) return json.length > 20 ? counted(json.length, 'item') : `[${json.map(shortened).join(', ').slice(0, textLimit)}]`;
  if (isObject(json)) return isHidden(json) ? json.notLogged : Object.keys(json).length > 20 ? '{…}' : `{${labelled(json, false)}}`;
  return JSON.stringify(json) ?? '';
}

function labelled(json, isCase) {
  let all = '';
  for (const name of Object.keys(json)) {
    if (all.length > textLimit) break;
    const value = shortened(json[name]);
    const label = isCase && /^_\d+$/.test(name) ? '' : `${name}: `;
    all += `${all === '' ? '' : ', '}${label}${value}`;
  }
  return isCase && all !== '' ? `(${all})` : all;
}

function nameOf(action) { return text(action.name ?? action.type ?? 'Action'); }

// Where runs of effects were not recorded, a bar reaches from the commit that set them off to the last one they made.
function extendRun(commit) {
  const id = `${commit.effect}\u0000${commit.parent}`;
  const run = session.runs.get(id);
  if (run) { run.end = commit.time; return; }
  const cause = session.commits[session.byRevision.get(commit.parent)];
  session.runs.set(id, { effect: commit.effect, commit: commit.parent, start: cause.time, end: commit.time, how: '' });
}

function addRun(record) {
  const id = `#${text(record.id)}`;
  const run = session.runs.get(id) ?? { effect: text(record.effect), commit: Number(record.commit) };
  if (typeof record.waits === 'number') run.start = run.waits = record.waits;
  if (typeof record.began === 'number') { run.began = record.began; run.start ??= record.began; }
  if (typeof record.ended === 'number') { run.end = record.ended; run.how = text(record.how); }
  session.runs.set(id, run);
}

// A note may come before its commit does: that is written by another thread.
function addNote(record) {
  const revision = Number(record.revision) || 0;
  const note = { kind: text(record.kind), text: text(record.text) };
  const index = session.byRevision.get(revision);
  if (index !== undefined) return attach(note, session.commits[index]);
  const early = session.notes.get(revision);
  if (early) early.push(note); else session.notes.set(revision, [note]);
}

function attach(note, commit) {
  commit.notes.push(note);
  commit.key += ` ${note.text.slice(0, textLimit).toLowerCase()}`;
  if (note.kind === 'error') commit.isError = true;
}

function recordOf(commit) { return JSON.parse(session.lines[commit.line]); }

// MARK: States

const states = new Map();     // index of a commit (-1: before the first) → state
const stateLimit = 48;

function stateAt(index) {
  const known = states.get(index);
  if (known) { states.delete(index); states.set(index, known); return known; }
  let [from, state] = snapshotBefore(index);
  for (const [other, cached] of states) if (other <= index && other > from) [from, state] = [other, cached];
  state = copyOf(state);
  const own = new Set();
  for (let at = from + 1; at <= index; at += 1) apply(recordOf(session.commits[at]), state, own);
  states.set(index, state);
  if (states.size > stateLimit) states.delete(states.keys().next().value);
  return state;
}

function snapshotBefore(index) {
  let [low, high] = [0, session.snapshots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (session.snapshots[middle].index <= index + 1) low = middle + 1; else high = middle;
  }
  if (low === 0) return [-1, { parts: new Map(), ids: new Map() }];
  const snapshot = session.snapshots[low - 1];
  const record = JSON.parse(session.lines[snapshot.line]);
  return [snapshot.index - 1, {
    parts: new Map(members(record.parts)), ids: new Map(members(record.ids).filter(([, ids]) => Array.isArray(ids))),
  }];
}

function copyOf(state) { return { parts: new Map(state.parts), ids: new Map(state.ids) }; }

function apply(record, state, own) {
  for (const [name, change] of members(record.changed)) {
    if (!isObject(change)) continue;
    if ('to' in change) {
      state.parts.set(name, change.to);
      if (Array.isArray(change.ids)) state.ids.set(name, change.ids); else state.ids.delete(name);
      own.add(name);
      continue;
    }
    let rows = state.parts.get(name);
    let ids = state.ids.get(name);
    if (!Array.isArray(rows)) continue;
    if (!own.has(name)) {
      rows = rows.slice();
      ids = ids ? ids.slice() : [];
      own.add(name);
    }
    for (const splice of list(change.rows)) {
      if (!Array.isArray(splice)) continue;
      rows = spliced(rows, splice[0], splice[1], list(splice[2]));
      ids = spliced(ids, splice[0], splice[1], list(splice[3]));
    }
    state.parts.set(name, rows);
    state.ids.set(name, ids);
  }
}

// A call takes no more than some ten thousand arguments.
function spliced(values, at, removed, added) {
  if (added.length > 10_000) return [...values.slice(0, at), ...added, ...values.slice(at + removed)];
  values.splice(at, removed, ...added);
  return values;
}

// MARK: Differences

const differenceLimit = 400;

function difference(before, after) {
  const lines = [];
  const names = new Set([...before.parts.keys(), ...after.parts.keys()]);
  for (const name of names) {
    compare(before.parts.get(name), after.parts.get(name), name === '' ? [] : [name], lines, after.ids.get(name), before.ids.get(name));
  }
  return lines;
}

function compare(old, now, path, lines, ids, oldIDs) {
  if (old === now || lines.length > differenceLimit) return;
  if (Array.isArray(old) && Array.isArray(now)) return compareLists(old, now, path, lines, ids, oldIDs);
  if (isObject(old) && isObject(now)) {
    for (const key of Object.keys(old)) compare(old[key], now[key], [...path, key], lines);
    for (const key of Object.keys(now)) if (!(key in old)) lines.push({ path: [...path, key], now: now[key] });
    return;
  }
  lines.push({ path, old, now });
}

function compareLists(old, now, path, lines, ids, oldIDs) {
  let start = 0;
  while (start < old.length && start < now.length && same(old[start], now[start])) start += 1;
  let [end, oldEnd] = [now.length, old.length];
  while (end > start && oldEnd > start && same(old[oldEnd - 1], now[end - 1])) { end -= 1; oldEnd -= 1; }
  if (ids && oldIDs && ids.length === now.length && oldIDs.length === old.length) {
    const former = new Map();
    for (let at = start; at < oldEnd; at += 1) former.set(oldIDs[at], at);
    const kept = new Set();
    for (let at = start; at < end; at += 1) {
      const other = former.get(ids[at]);
      const label = `#${ids[at]}`;
      if (other === undefined) push(lines, { path: [...path, label], now: now[at] });
      else { kept.add(other); compare(old[other], now[at], [...path, label], lines); }
    }
    for (let at = start; at < oldEnd; at += 1) {
      if (!kept.has(at)) push(lines, { path: [...path, `#${oldIDs[at]}`], old: old[at] });
    }
    return;
  }
  if (end - start === oldEnd - start) {
    for (let at = start; at < end; at += 1) compare(old[at], now[at], [...path, at], lines);
    return;
  }
  for (let at = start; at < oldEnd; at += 1) push(lines, { path: [...path, at], old: old[at] });
  for (let at = start; at < end; at += 1) push(lines, { path: [...path, at], now: now[at] });
}

function push(lines, line) { if (lines.length <= differenceLimit) lines.push(line); }

function same(left, right) {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => key in right && same(left[key], right[key]));
}

// MARK: Filtering

const chips = ['dispatch', 'effect', 'sequence', 'asyncResult', 'placeholder', 'replacement', 'error'];
const chipNames = words({
  dispatch: 'Dispatch', effect: 'Effect', sequence: 'Sequence', asyncResult: 'Result',
  placeholder: 'Placeholder', replacement: 'Replacement', error: 'Error',
});
const view = {
  shown: [], chosen: -1, tab: 'why', filters: new Set(), query: '', isFollowing: true, isPaused: false,
  pins: [], open: new Set(), heard: 0, origins: 0, find: '',
};

function matcher() {
  const tests = [];
  for (const word of view.query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const [, field, value] = /^(part|action|effect|is|after|before):(.*)$/.exec(word) ?? [];
    if (value === '') continue;
    if (field === 'part') tests.push((commit) => commit.parts.some((part) => part.toLowerCase().includes(value)));
    else if (field === 'action') tests.push((commit) => commit.name.toLowerCase().includes(value));
    else if (field === 'effect') tests.push((commit) => commit.effect?.toLowerCase().includes(value) === true);
    else if (field === 'is') tests.push((commit) => value === 'error' ? commit.isError : commit.origin.toLowerCase() === value);
    else if (field === 'after') tests.push((commit) => commit.time >= Number(value));
    else if (field === 'before') tests.push((commit) => commit.time <= Number(value));
    else tests.push((commit) => commit.key.includes(word) || String(commit.revision) === word.replace('#', ''));
  }
  const origins = [...view.filters].filter((name) => name !== 'error');
  if (view.filters.has('error')) tests.push((commit) => commit.isError);
  if (origins.length > 0) tests.push((commit) => origins.includes(commit.origin));
  return tests.length === 0 ? undefined : (commit) => tests.every((test) => test(commit));
}

function refilter() {
  const matches = matcher();
  const shown = [];
  for (const commit of session.commits) if (!matches || matches(commit)) shown.push(commit.index);
  view.shown = shown;
  view.matches = matches;
  view.heard = session.commits.length;
}

// Adds what has come since.
function extendFilter() {
  for (; view.heard < session.commits.length; view.heard += 1) {
    if (!view.matches || view.matches(session.commits[view.heard])) view.shown.push(view.heard);
  }
}

// MARK: Elements

const $ = (id) => document.getElementById(id);

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'class') element.className = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

function isolated(value) { return make('bdi', {}, value); }

function clock(seconds) {
  if (seconds < 60) return `${seconds.toFixed(3)}`;
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - minutes * 60).toFixed(2).padStart(5, '0');
  return minutes < 60
    ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

// MARK: The list

const rowHeight = 26;
const pool = [];
// Browsers lay out no more than about 33 million pixels; beyond it, a pixel of the bar stands for more than one.
const maximalHeight = 16_000_000;

function contentHeight() { return Math.min(view.shown.length * rowHeight, maximalHeight); }

function firstInSight() {
  const box = $('list');
  const room = contentHeight() - box.clientHeight;
  const rows = view.shown.length - box.clientHeight / rowHeight;
  if (room <= 0 || rows <= 0) return 0;
  return contentHeight() < maximalHeight ? box.scrollTop / rowHeight : box.scrollTop / room * rows;
}

function showRows() {
  const box = $('list');
  $('rows').style.height = `${contentHeight()}px`;
  const last = session.commits[session.commits.length - 1];
  $('rows').style.setProperty('--digits', String(last?.revision ?? 0).length);
  const top = firstInSight();
  const start = Math.max(0, Math.floor(top) - 4);
  const end = Math.min(view.shown.length, Math.ceil(top + box.clientHeight / rowHeight) + 4);
  const chosen = session.commits[view.chosen];
  while (pool.length < end - start) pool.push(makeRow());
  for (let slot = 0; slot < pool.length; slot += 1) {
    const row = pool[slot];
    const at = start + slot;
    row.element.hidden = at >= end;
    if (at >= end) { row.element.style.display = 'none'; continue; }
    row.element.style.display = '';
    row.element.style.top = `${Math.round(box.scrollTop + (at - top) * rowHeight)}px`;
    fillRow(row, session.commits[view.shown[at]], chosen);
  }
  if (view.shown.length === 0) {
    if (!box.querySelector('.empty')) {
      box.append(make('p', { class: 'empty' }, session.commits.length === 0 ? 'No commits yet.' : 'No commit matches.'));
    }
  } else {
    box.querySelector('.empty')?.remove();
  }
}

function makeRow() {
  const row = {
    revision: make('span', { class: 'revision' }), dot: make('span', { class: 'dot' }),
    name: make('bdi', {}), value: make('bdi', { class: 'value' }), time: make('span', { class: 'time' }), index: -1,
  };
  row.title = make('span', { class: 'name' }, row.name, row.value);
  row.element = make('div', { class: 'row', role: 'option', onclick: () => choose(row.index) },
    row.revision, row.dot, row.title, row.time);
  $('rows').append(row.element);
  return row;
}

function fillRow(row, commit, chosen) {
  const isKin = chosen !== undefined && (commit.above === chosen.index || chosen.above === commit.index);
  row.element.className = `row${commit.isError ? ' unhandled' : ''}${isKin ? ' kin' : ''}${commit.isReplayed ? ' replayed' : ''}${commit.notes.length > 0 ? ' noted' : ''}`;
  row.element.setAttribute('aria-selected', String(commit.index === view.chosen));
  if (row.index === commit.index && row.notes === commit.notes.length) return;
  row.index = commit.index;
  row.notes = commit.notes.length;
  row.element.id = `c${commit.index}`;
  row.revision.textContent = commit.revision;
  row.dot.className = `dot ${commit.isError ? 'error' : commit.origin}`;
  row.dot.title = chipNames[commit.isError ? 'error' : commit.origin] ?? commit.origin;
  row.dot.style.marginLeft = `${commit.depth * 14}px`;
  row.name.textContent = commit.name;
  row.value.textContent = commit.shown.slice(0, 120);
  row.time.textContent = clock(commit.time);
}

function position(index) {
  let [low, high] = [0, view.shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (view.shown[middle] < index) low = middle + 1; else high = middle;
  }
  return low;
}

function scrollTo(at, isCentred = false) {
  const box = $('list');
  $('rows').style.height = `${contentHeight()}px`;
  const sight = box.clientHeight / rowHeight;
  const top = firstInSight();
  if (!isCentred && at >= top && at + 1 <= top + sight) return;
  const target = isCentred ? at - sight / 2 : at < top ? at : at + 1 - sight;
  const rows = Math.max(1, view.shown.length - sight);
  box.scrollTop = contentHeight() < maximalHeight
    ? target * rowHeight : target / rows * (contentHeight() - box.clientHeight);
}

// MARK: Choosing

function choose(index, isCentred = false) {
  if (index < 0 || index >= session.commits.length) return;
  view.chosen = index;
  view.isFollowing = index === session.commits.length - 1;
  const at = position(index);
  if (view.shown[at] === index) scrollTo(at, isCentred);
  $('list').setAttribute('aria-activedescendant', `c${index}`);
  schedule('rows', 'strip', 'bars');
  // While a key is held down, the list moves at once, and the right side follows when there is time.
  schedule('detail');
}

function move(by) {
  if (view.shown.length === 0) return;
  const at = view.chosen < 0 ? -1 : position(view.chosen);
  choose(view.shown[Math.max(0, Math.min(view.shown.length - 1, at + by))]);
}

function reveal(index) {
  if (view.shown[position(index)] !== index) {
    view.filters.clear();
    view.query = $('search').value = '';
    refilter();
    showChips();
    showCount();
  }
  choose(index);
}

function goToCause() {
  const above = session.commits[view.chosen]?.above;
  if (above !== undefined) reveal(above);
}

function goToChild() {
  const children = session.children.get(view.chosen);
  if (children) reveal(children[0]);
}

// MARK: The right side

const tabs = { why: 'Why', change: 'Change', state: 'State', owners: 'Owners' };

function showDetail() {
  const commit = session.commits[view.chosen];
  const heading = $('heading');
  heading.replaceChildren();
  for (const button of $('tabs').children) {
    button.setAttribute('aria-selected', String(button.dataset.tab === view.tab));
  }
  const pane = $('pane');
  if (!commit) {
    pane.replaceChildren(make('p', { class: 'empty' }, 'Choose a commit.'));
    return;
  }
  heading.append(
    make('div', { class: 'what' }, isolated(`${commit.name}`)),
    make('div', { class: 'where' }, `#${commit.revision} at ${clock(commit.time)} s`,
      commit.site ? ', ' : undefined, commit.site ? isolated(commit.site) : undefined,
      commit.fn ? ' in ' : undefined, commit.fn ? isolated(commit.fn) : undefined, commit.isReplayed ? ', replayed' : undefined));
  // The fold and the search of a tree stay while one walks.
  const top = pane.scrollTop;
  pane.replaceChildren(...panes[view.tab](commit));
  pane.scrollTop = top;
}

const panes = { why: showWhy, change: showChange, state: showState, owners: showOwners };

function showWhy(commit) {
  const chain = [];
  const seen = new Set();
  for (let at = commit; at && !seen.has(at.index) && chain.length < 200;) {
    seen.add(at.index);
    chain.push(at);
    at = session.commits[at.above];
  }
  const items = chain.map((each, place) => make('li', place === 0 ? { class: 'this' } : {},
    place === 0 ? make('span', {}, isolated(each.name)) : link(each), ' ', make('span', { class: 'quiet' }, origin(each, chain[place + 1]))));
  const last = chain[chain.length - 1];
  if (last.parent !== undefined && last.above === undefined) {
    items.push(make('li', { class: 'quiet' }, `#${last.parent} is not in this session.`));
  }
  const record = recordOf(commit);
  const parts = [make('ol', { class: 'why' }, ...items)];
  for (const note of commit.notes) parts.push(make('p', { class: 'note' }, make('span', { class: note.kind === 'error' ? 'dot error' : 'dot warning' }), isolated(note.text)));
  if (commit.isError && commit.notes.length === 0) parts.push(make('p', { class: 'quiet' }, 'No reducer handled it.'));
  const actions = objects(record.actions);
  if (actions.length > 0) {
    parts.push(make('h3', {}, actions.length === 1 ? 'Action' : `${actions.length} actions`));
    for (const [at, action] of actions.slice(0, 100).entries()) {
      const value = action.hidden ? { notLogged: nameOf(action) } : action.value ?? action.text;
      parts.push(tree(nameOf(action), value, ['action', at], undefined, actions.length === 1));
    }
  }
  const children = session.children.get(commit.index) ?? [];
  if (children.length > 0) {
    parts.push(make('h3', {}, children.length === 1 ? 'Set off' : `Set off ${children.length}`),
      make('ol', {}, ...children.slice(0, 100).map((index) => make('li', {}, link(session.commits[index]), ' ',
        make('span', { class: 'quiet' }, origin(session.commits[index]))))));
  }
  return parts;
}

function link(commit) {
  return make('button', { class: 'link', type: 'button', onclick: () => reveal(commit.index) },
    `#${commit.revision} `, isolated(commit.name));
}

function origin(commit, parent) {
  const by = commit.effect !== undefined ? `by the effect ${commit.effect}` : {
    dispatch: 'dispatched', sequence: 'by a sequence', effect: 'by an effect',
  }[commit.origin] ?? '';
  const at = commit.site ? ` at ${commit.site}` : '';
  return `${by}${at}${parent ? ', set off by' : ''}`;
}

function showChange(commit) {
  const lines = difference(stateAt(commit.index - 1), stateAt(commit.index));
  if (lines.length === 0) return [make('p', { class: 'quiet' }, 'Nothing differs.')];
  const rows = lines.slice(0, differenceLimit).map(({ path, old, now }) => make('tr', {},
    make('td', {}, isolated(pathText(path)), pinButton(path)),
    make('td', {}, old === undefined ? '' : value(old, 'was')), make('td', {}, now === undefined ? '' : value(now, 'is'))));
  const table = make('table', { class: 'change' }, make('tr', {}, make('th', {}, ''), make('th', {}, 'Before'), make('th', {}, 'After')), ...rows);
  return lines.length > differenceLimit ? [table, make('p', { class: 'quiet' }, '… and more')] : [table];
}

function pathText(path) {
  return path.length === 0 ? 'state' : path.map((step, at) =>
    typeof step === 'number' || String(step).startsWith('#') ? `[${step}]` : at > 0 ? `.${step}` : step).join('');
}

const foldedLength = 160;

function value(json, style = '') {
  const kind = typeof json === 'string' ? 'text' : 'literal';
  const whole = typeof json === 'string' ? `"${json}"` : JSON.stringify(json) ?? '';
  return folded(whole, `value-text ${style || kind}`);
}

// A text of which a long one shows its beginning, and more of it by and by: the document never holds all of a huge one.
function folded(whole, style) {
  const span = make('bdi', { class: style });
  if (whole.length <= foldedLength) { span.textContent = whole; return span; }
  let length = foldedLength;
  const rest = make('button', { class: 'more', type: 'button' });
  const show = () => {
    span.textContent = whole.slice(0, length);
    rest.textContent = length < whole.length ? `… ${whole.length - length} more` : '';
    rest.hidden = length >= whole.length;
  };
  rest.addEventListener('click', () => { length = length * 8; show(); });
  show();
  return make('span', {}, span, rest);
}

function showState(commit) {
  const state = stateAt(commit.index);
  const find = make('input', { id: 'find', type: 'search', placeholder: 'Find in the state', 'aria-label': 'Find in the state', autocomplete: 'off', spellcheck: 'false' });
  find.value = view.find;
  const body = make('div', {});
  const fill = () => body.replaceChildren(...(view.find === '' ? wholeState(state) : found(state, view.find)));
  find.addEventListener('input', () => { view.find = find.value; fill(); });
  fill();
  return [find, ...pinned(commit), body];
}

function wholeState(state) {
  return [...state.parts].map(([name, part]) => tree(name === '' ? 'state' : name, part, [name], state.ids.get(name), false));
}

function pinned(commit) {
  if (view.pins.length === 0) return [];
  const [state, before] = [stateAt(commit.index), stateAt(commit.index - 1)];
  const rows = view.pins.map((path) => {
    const [now, old] = [lookUp(state, path), lookUp(before, path)];
    return make('tr', {}, make('td', {}, isolated(pathText(path)), pinButton(path), whyButton(path)),
      make('td', {}, same(now, old) ? '' : old === undefined ? '' : value(old, 'was')),
      make('td', {}, now === undefined ? make('span', { class: 'quiet' }, 'not there') : value(now, same(now, old) ? 'literal' : 'is')));
  });
  return [make('table', { class: 'change' }, ...rows), make('h3', {}, 'State')];
}

function lookUp(state, path) {
  let at = state.parts.get(path[0]);
  for (const step of path.slice(1)) {
    if (at === null || typeof at !== 'object') return undefined;
    if (String(step).startsWith('#') && Array.isArray(at)) {
      const row = (state.ids.get(path[0]) ?? []).indexOf(String(step).slice(1));
      at = row < 0 ? undefined : at[row];
    } else {
      at = Object.hasOwn(at, step) ? at[step] : undefined;
    }
  }
  return at;
}

function pinButton(path) {
  const key = JSON.stringify(path);
  const isPinned = view.pins.some((pin) => JSON.stringify(pin) === key);
  return make('button', {
    class: 'pin', type: 'button', title: isPinned ? 'Unpin' : 'Keep in sight', 'aria-pressed': String(isPinned),
    onclick: () => {
      view.pins = isPinned ? view.pins.filter((pin) => JSON.stringify(pin) !== key) : [...view.pins, path];
      schedule('detail');
    },
  }, isPinned ? '●' : '○');
}

// The commit, up to one, that last left a value of the state otherwise than it was; -1 where none did.
function lastChange(path, upTo) {
  for (let end = upTo; end >= 0;) {
    // From one snapshot to the next, backwards: most values changed not long ago.
    const [before, first] = snapshotBefore(end - 1);
    const state = copyOf(first);
    const own = new Set();
    let [was, found] = [lookUp(state, path), -1];
    for (let at = before + 1; at <= end; at += 1) {
      if (!session.commits[at].parts.includes(path[0])) continue;
      apply(recordOf(session.commits[at]), state, own);
      const now = lookUp(state, path);
      if (!same(was, now)) found = at;
      was = now;
    }
    if (found >= 0) return found;
    end = before;
  }
  return -1;
}

function whyButton(path) {
  return make('button', {
    class: 'pin', type: 'button', title: 'The commit that last changed it',
    onclick: () => {
      const index = lastChange(path, view.chosen);
      if (index < 0) return notice('It is as it was at first.');
      view.tab = 'why';
      reveal(index);
    },
  }, 'why');
}

const pageLength = 100;

// A value as a tree. What is folded is made when it is opened.
function tree(name, json, path, ids, isOpen) {
  const key = JSON.stringify(path);
  const isBranch = json !== null && typeof json === 'object';
  const node = make('div', { class: 'node' });
  const line = make('div', { class: 'line' });
  node.append(line);
  line.append(make('bdi', { class: 'key' }, String(name)));
  if (!isBranch) {
    line.append(value(json));
  } else {
    const count = Array.isArray(json) ? json.length : Object.keys(json).length;
    line.append(make('span', { class: 'quiet' }, isHidden(json) ? 'not logged' : Array.isArray(json) ? counted(count, ids ? 'row' : 'item') : count === 0 ? '{}' : preview(json)));
    if (count > 0 && !isHidden(json)) {
      const fold = make('button', { class: 'fold', type: 'button', 'aria-label': 'Fold' });
      const inside = make('div', {});
      const set = (open) => {
        fold.textContent = open ? '▾' : '▸';
        fold.setAttribute('aria-expanded', String(open));
        inside.replaceChildren();
        if (open) addMembers(inside, json, path, ids, 0);
      };
      let open = isOpen || view.open.has(key);
      fold.addEventListener('click', () => {
        open = !open;
        if (open) view.open.add(key); else view.open.delete(key);
        set(open);
      });
      node.prepend(fold);
      node.append(inside);
      set(open);
    }
  }
  if (path[0] !== 'action') line.append(pinButton(path), whyButton(path));
  return node;
}

function counted(count, word) { return `${count} ${word}${count === 1 ? '' : 's'}`; }

function isHidden(json) { return isObject(json) && Object.keys(json).length === 1 && typeof json.notLogged === 'string'; }

function preview(json) {
  const whole = labelled(json, false);
  return whole.length > 90 ? `${whole.slice(0, 90)}…` : whole;
}

function addMembers(box, json, path, ids, start) {
  const keys = Array.isArray(json) ? undefined : Object.keys(json);
  const count = keys ? keys.length : json.length;
  const end = Math.min(count, start + pageLength);
  for (let at = start; at < end; at += 1) {
    const key = keys ? keys[at] : ids && ids[at] !== undefined ? `#${ids[at]}` : at;
    box.append(tree(key, keys ? json[keys[at]] : json[at], [...path, key], undefined, false));
  }
  if (end < count) {
    const more = make('button', { class: 'more', type: 'button' }, `… ${count - end} more`);
    more.addEventListener('click', () => { more.remove(); addMembers(box, json, path, ids, end); });
    box.append(more);
  }
}

const findLimit = 200;

function found(state, query) {
  const wanted = query.toLowerCase();
  const results = [];
  const deadline = performance.now() + 60;
  const walk = (json, path, ids) => {
    if (results.length >= findLimit || performance.now() > deadline) return;
    if (json !== null && typeof json === 'object') {
      const keys = Array.isArray(json) ? undefined : Object.keys(json);
      const count = keys ? keys.length : json.length;
      for (let at = 0; at < count; at += 1) {
        const key = keys ? keys[at] : ids && ids[at] !== undefined ? `#${ids[at]}` : at;
        const child = keys ? json[keys[at]] : json[at];
        if (keys && keys[at].toLowerCase().includes(wanted)) results.push([[...path, key], child]);
        else walk(child, [...path, key]);
      }
    } else if (String(json).slice(0, 10_000).toLowerCase().includes(wanted)) {
      results.push([path, json]);
    }
  };
  for (const [name, part] of state.parts) {
    if (name.toLowerCase().includes(wanted)) results.push([[name], part]);
    else walk(part, [name], state.ids.get(name));
  }
  if (results.length === 0) return [make('p', { class: 'quiet' }, 'Not found.')];
  const nodes = results.slice(0, findLimit).map(([path, json]) => tree(pathText(path), json, path, undefined, false));
  if (results.length >= findLimit || performance.now() > deadline) nodes.push(make('p', { class: 'quiet' }, '… and perhaps more'));
  return nodes;
}

function showOwners(commit) {
  const touched = new Set(commit.parts);
  const rows = session.head.owners.map((owner) => make('tr', {},
    make('td', {}, make('span', { class: touched.has(String(owner.part).split(/[.[]/)[0]) ? 'literal' : '' }, isolated(text(owner.part) || 'state'))),
    make('td', {}, owner.constant ? make('span', { class: 'quiet' }, 'constant') : isolated(list(owner.actions).map(text).join(', ')))));
  if (rows.length === 0) return [make('p', { class: 'quiet' }, 'The session does not say who owns what.')];
  return [make('table', {}, make('tr', {}, make('th', {}, 'Part'), make('th', {}, 'Handles')), ...rows)];
}

// MARK: Time

function span() {
  const commits = session.commits;
  if (commits.length === 0) return [0, 1];
  const [start, end] = [commits[0].time, commits[commits.length - 1].time];
  return end > start ? [start, end] : [start - .5, start + .5];
}

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name); }

function resolved(name) {
  // A canvas does not know `light-dark`, so an element resolves it.
  const probe = $('notice');
  probe.style.borderColor = colour(name);
  return getComputedStyle(probe).borderTopColor;
}

let palette;
function colours() {
  palette ??= Object.fromEntries(['ink', 'quiet', 'faint', 'line', 'accent', 'error', 'chosen', 'raised', 'paper'].map((name) => [name, resolved(`--${name}`)]));
  return palette;
}

function canvas(id, height) {
  const element = $(id);
  const width = element.clientWidth;
  const scale = devicePixelRatio || 1;
  element.width = Math.round(width * scale);
  element.height = Math.round(height * scale);
  element.style.height = `${height}px`;
  const context = element.getContext('2d');
  context.scale(scale, scale);
  return { context, width };
}

const strip = { counts: [], errors: [], upTo: 0, key: '' };

function sight() {
  const top = firstInSight();
  const first = session.commits[view.shown[Math.min(view.shown.length - 1, Math.floor(top))]];
  const last = session.commits[view.shown[Math.min(view.shown.length - 1, Math.floor(top + $('list').clientHeight / rowHeight))]];
  return first && last ? [first.time, last.time] : span();
}

function showStrip() {
  const height = 44;
  const { context, width } = canvas('strip', height);
  const [start, end] = span();
  const key = `${width} ${start} ${end}`;
  if (strip.key !== key || strip.upTo > session.commits.length) {
    Object.assign(strip, { counts: new Uint32Array(width + 1), errors: new Uint32Array(width + 1), upTo: 0, key });
  }
  for (; strip.upTo < session.commits.length; strip.upTo += 1) {
    const commit = session.commits[strip.upTo];
    const x = Math.floor((commit.time - start) / (end - start) * (width - 1));
    strip.counts[x] += 1;
    if (commit.isError) strip.errors[x] += 1;
  }
  const { accent, faint, error, chosen, quiet, paper } = colours();
  const [from, to] = sight();
  const place = (time) => (time - start) / (end - start) * (width - 1);
  const left = place(from);
  // A window over everything says nothing.
  const isWhole = view.shown.length * rowHeight <= $('list').clientHeight;
  if (!isWhole) {
    context.fillStyle = chosen;
    context.fillRect(left, 0, Math.max(6, place(to) - left), height);
  }
  let most = 1;
  for (const count of strip.counts) most = Math.max(most, count);
  for (let x = 0; x < width; x += 1) {
    if (strip.counts[x] === 0) continue;
    const size = 4 + Math.sqrt(strip.counts[x] / most) * (height - 12);
    context.fillStyle = faint;
    context.fillRect(x, height - 2 - size, 1, size);
    if (strip.errors[x] === 0) continue;
    const bad = Math.max(4, size * strip.errors[x] / strip.counts[x]);
    context.fillStyle = error;
    context.fillRect(x, height - 2 - bad, 1, bad);
  }
  if (!isWhole) {
    context.strokeStyle = accent;
    context.strokeRect(left + .5, .5, Math.max(6, place(to) - left), height - 2);
  }
  const commit = session.commits[view.chosen];
  if (commit) {
    context.fillStyle = accent;
    context.fillRect(place(commit.time) - .5, 0, 2, height);
  }
  context.font = '11px system-ui, sans-serif';
  const label = `${clock(end)} s`;
  const size = context.measureText(label).width;
  for (const [words, x] of [[clock(start), 5], [label, width - size - 5]]) {
    context.fillStyle = paper;
    context.fillRect(x - 3, 2, context.measureText(words).width + 6, 13);
    context.fillStyle = quiet;
    context.fillText(words, x, 12);
  }
}

function dragStrip(event) {
  const box = $('strip').getBoundingClientRect();
  const [start, end] = span();
  const time = start + (event.clientX - box.left) / box.width * (end - start);
  let [low, high] = [0, view.shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (session.commits[view.shown[middle]].time < time) low = middle + 1; else high = middle;
  }
  view.isFollowing = false;
  scrollTo(Math.min(low, view.shown.length - 1), true);
  schedule('rows', 'strip', 'bars');
}

const laneHeight = 18;
let hits = [];

function showBars() {
  const footer = $('effects');
  const names = [];
  const lanes = new Map();
  for (const run of session.runs.values()) {
    if (run.start === undefined) continue;
    if (!lanes.has(run.effect)) { lanes.set(run.effect, []); names.push(run.effect); }
    lanes.get(run.effect).push(run);
  }
  footer.hidden = names.length === 0;
  if (names.length === 0) return;
  const { context, width } = canvas('bars', names.length * laneHeight + 8);
  const { accent, faint, error, quiet, line } = colours();
  let [start, end] = sight();
  const rest = Math.max((end - start) * .04, .0005);
  [start, end] = [start - rest, end + rest];
  const gutter = Math.min(180, width * .2);
  const place = (time) => gutter + (time - start) / (end - start) * (width - gutter);
  hits = [];
  context.font = '12px system-ui, sans-serif';
  names.forEach((name, lane) => {
    const y = 4 + lane * laneHeight;
    context.fillStyle = line;
    context.fillRect(gutter, y + laneHeight - 1, width - gutter, 1);
    context.save();
    context.beginPath();
    context.rect(gutter, y, width - gutter, laneHeight);
    context.clip();
    let last = -2;
    for (const run of lanes.get(name)) {
      const over = run.end ?? Infinity;
      if (over < start || run.start > end) continue;
      const left = place(run.start);
      const right = Math.max(left + 3, place(Math.min(over, end + rest)));
      // Where thousands lie on one pixel, one is drawn.
      if (right <= last) continue;
      last = right;
      const begins = run.began === undefined ? left : place(run.began);
      context.fillStyle = faint;
      if (begins > left) context.fillRect(left, y + 7, begins - left, 3);
      context.fillStyle = run.how === 'failed' ? error : run.how === 'cancelled' || run.how === 'superseded' || run.how === 'gone' ? faint : accent;
      context.fillRect(begins, y + 4, Math.max(3, right - begins), 9);
      hits.push({ x: left, to: right, y, run });
    }
    context.restore();
    context.fillStyle = quiet;
    let label = name;
    while (label.length > 1 && context.measureText(label).width > gutter - 18) label = `${label.slice(0, -2)}…`;
    context.fillText(label, 12, y + 13);
  });
}

function clickBar(event) {
  const box = $('bars').getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  const hit = hits.findLast((each) => x >= each.x - 2 && x <= each.to + 2 && y >= each.y && y < each.y + laneHeight);
  if (hit && session.byRevision.has(hit.run.commit)) reveal(session.byRevision.get(hit.run.commit));
}

// MARK: The head

function showChips() {
  view.origins = session.origins.size;
  const used = chips.filter((name) => name === 'error' || session.origins.has(name) || view.filters.has(name));
  $('chips').replaceChildren(...used.map((name) => make('button', {
    type: 'button', 'aria-pressed': String(view.filters.has(name)), title: chipNames[name],
    onclick: () => {
      if (!view.filters.delete(name)) view.filters.add(name);
      showChips();
      filterAnew();
    },
  }, make('span', { class: `dot ${name}` }), make('span', {}, chipNames[name]))));
}

function showCount() {
  const format = new Intl.NumberFormat('en');
  const all = format.format(session.commits.length);
  const rate = live.isOn ? ` · ${live.rate()}/s` : '';
  const unit = session.commits.length === 1 ? 'commit' : 'commits';
  $('count').textContent = `${view.shown.length === session.commits.length ? '' : `${format.format(view.shown.length)} of `}${all} ${unit}${rate}`;
}

function filterAnew() {
  refilter();
  if (view.chosen >= 0) scrollTo(Math.min(position(view.chosen), view.shown.length - 1), true);
  schedule('rows', 'strip', 'bars', 'count');
}

// MARK: Drawing

const drawing = { rows: showRows, strip: showStrip, bars: showBars, detail: showDetail, count: showCount };
const due = new Set();

function schedule(...names) {
  if (due.size === 0) requestAnimationFrame(draw);
  for (const name of names) due.add(name);
}

function draw() {
  const names = [...due];
  due.clear();
  for (const name of names) drawing[name]();
}

// MARK: Live

const live = {
  isOn: document.body.dataset.mode === 'live',
  times: [],
  rate() {
    const now = performance.now();
    while (live.times.length > 0 && now - live.times[0] > 5_000) live.times.shift();
    return (live.times.length / 5).toFixed(1);
  },
  follow() {
    if (view.isPaused) { schedule('count'); return; }
    const known = view.heard;
    extendFilter();
    if (view.heard !== known && view.isFollowing && view.shown.length > 0) choose(view.shown[view.shown.length - 1]);
    if (session.origins.size !== view.origins) showChips();
    schedule('rows', 'strip', 'bars', 'count');
  },
  start() {
    $('live').hidden = false;
    $('open-dispatch').hidden = session.head.actions.length === 0;
    live.show();
    const events = new EventSource('events');
    let waiting = [];
    events.addEventListener('reset', () => {
      Object.assign(session, { lines: [], commits: [], snapshots: [] });
      for (const map of [session.byRevision, session.children, session.runs, session.notes, states]) map.clear();
      Object.assign(view, { shown: [], chosen: -1, heard: 0 });
      Object.assign(strip, { key: '' });
    });
    events.addEventListener('record', (event) => {
      waiting.push(event.data);
      live.times.push(performance.now());
      if (waiting.length === 1) requestAnimationFrame(() => {
        for (const line of waiting) ingest(line);
        waiting = [];
        showTitle();
        $('open-dispatch').hidden = session.head.actions.length === 0;
        live.follow();
      });
    });
    events.addEventListener('error', () => notice('The app is not there. This page waits for it.'));
    setInterval(() => schedule('count'), 1_000);
  },
  show() {
    $('live').textContent = view.isPaused ? 'Paused' : 'Live';
    $('live').setAttribute('aria-pressed', String(!view.isPaused));
  },
  toggle() {
    if (!live.isOn) return;
    view.isPaused = !view.isPaused;
    live.show();
    if (!view.isPaused) live.follow();
  },
  async ask(path, body) {
    try {
      const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      return { isGood: answer.ok, text: await answer.text() };
    } catch {
      return { isGood: false, text: 'The app is not there.' };
    }
  },
  async travel() {
    const commit = session.commits[view.chosen];
    if (!commit) return;
    if (!live.isOn) return notice('A file does not travel. Serve a running app to jump in it.');
    const answer = await live.ask('jump', { revision: commit.revision });
    notice(answer.isGood ? `The app is at #${commit.revision}.` : answer.text);
  },
};

let noticeEnd;
function notice(sentence) {
  $('notice').textContent = sentence;
  $('notice').classList.add('shown');
  clearTimeout(noticeEnd);
  noticeEnd = setTimeout(() => $('notice').classList.remove('shown'), 3_000);
}

async function sendAction() {
  const answer = $('action-answer');
  let json;
  try { json = JSON.parse($('action-value').value || '{}'); } catch (error) { answer.textContent = `That is no JSON: ${error.message}`; return; }
  const result = await live.ask('dispatch', { name: $('action-name').value, value: json });
  answer.textContent = result.text;
}

function openDispatch() {
  if (!live.isOn || session.head.actions.length === 0) return;
  $('action-name').replaceChildren(...session.head.actions.map((action) => make('option', {}, text(action.name))));
  $('dispatch').showModal();
}

// MARK: Keys

// What is pressed, as it is shown, what it does, and how; where one line speaks of two keys, the second is not shown.
const keys = new Map([
  ['ArrowUp', ['↑ ↓', 'the commit before, after', () => move(-1)]],
  ['ArrowDown', [null, null, () => move(1)]],
  ['PageUp', ['Page ↑ ↓', 'a page of them', () => move(-20)]],
  ['PageDown', [null, null, () => move(20)]],
  ['Home', ['Home End', 'the first, the last', () => move(-Infinity)]],
  ['End', [null, null, () => move(Infinity)]],
  ['ArrowLeft', ['←', 'the commit that set it off', goToCause]],
  ['ArrowRight', ['→', 'the first that it set off', goToChild]],
  ['1', ['1 2 3 4', 'why, change, state, owners', () => openTab('why')]],
  ['2', [null, null, () => openTab('change')]],
  ['3', [null, null, () => openTab('state')]],
  ['4', [null, null, () => openTab('owners')]],
  ['/', ['/', 'search', () => $('search').focus()]],
  [' ', ['space', 'pause, go on', () => live.toggle()]],
  ['t', ['t', 'have the app travel there', () => live.travel()]],
  ['d', ['d', 'dispatch an action', openDispatch]],
  ['?', ['?', 'these keys', () => $('keys').showModal()]],
]);

function openTab(name) {
  view.tab = name;
  $('pane').scrollTop = 0;
  schedule('detail');
}

function onKey(event) {
  if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog[open]')) return;
  const isTyping = event.target.matches('input, textarea, select');
  if (event.key === 'Escape' && isTyping) { event.target.blur(); $('list').focus({ preventScroll: true }); return; }
  if (isTyping && !(event.target.id === 'search' && ['ArrowUp', 'ArrowDown'].includes(event.key))) {
    if (event.key === 'Enter') $('list').focus({ preventScroll: true });
    return;
  }
  if (event.key === ' ' && event.target.matches('button')) return;
  const key = keys.get(event.key);
  if (!key) return;
  event.preventDefault();
  key[2]();
}

// MARK: Beginning

function showTitle() {
  const name = text(session.head.state) || 'Session';
  $('title').textContent = name;
  document.title = `${name} · Lensed`;
}

function begin() {
  const data = $('session').textContent;
  let start = 0;
  while (start < data.length) {
    let end = data.indexOf('\n', start);
    if (end < 0) end = data.length;
    if (end > start) ingest(data.slice(start, end));
    start = end + 1;
  }
  showTitle();
  $('tabs').append(...Object.entries(tabs).map(([name, title]) => {
    const button = make('button', { type: 'button', role: 'tab', onclick: () => openTab(name) }, title);
    button.dataset.tab = name;
    return button;
  }));
  for (const [shown, meaning] of keys.values()) {
    if (shown) $('key-list').append(make('dt', {}, shown), make('dd', {}, meaning));
  }
  refilter();
  showChips();
  if (view.shown.length > 0) choose(view.shown[view.shown.length - 1]);
  $('list').addEventListener('scroll', () => schedule('rows', 'strip', 'bars'), { passive: true });
  let searchEnd;
  $('search').addEventListener('input', () => {
    view.query = $('search').value;
    clearTimeout(searchEnd);
    searchEnd = setTimeout(filterAnew, 60);
  });
  $('strip').addEventListener('pointerdown', (event) => { $('strip').setPointerCapture(event.pointerId); dragStrip(event); });
  $('strip').addEventListener('pointermove', (event) => { if (event.buttons & 1) dragStrip(event); });
  $('bars').addEventListener('click', clickBar);
  $('live').addEventListener('click', live.toggle);
  $('help').addEventListener('click', () => $('keys').showModal());
  $('open-dispatch').addEventListener('click', openDispatch);
  $('send').addEventListener('click', sendAction);
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  }
  document.addEventListener('keydown', onKey);
  new ResizeObserver(() => schedule('rows', 'strip', 'bars')).observe(document.body);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { palette = undefined; schedule('strip', 'bars'); });
  $('list').focus({ preventScroll: true });
  schedule('rows', 'strip', 'bars', 'detail', 'count');
  if (live.isOn) live.start();
}

begin();
