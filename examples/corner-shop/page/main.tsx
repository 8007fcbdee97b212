import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/controls.css';
import './styles/till.css';
import './styles/phone.css';
import './styles/inspector.css';
import './styles/print.css';

const root = document.getElementById('app');
if (root) render(<App />, root);
