"""Which control sequences an edit may bring in, and which betray a red line."""

from __future__ import annotations

PLAIN = frozenset(
    rf"\{word}"
    for word in """
    begin end item label ref eqref pageref autoref nameref cref Cref vref cite citet citep citealt citealp
    citeauthor citeyear parencite textcite autocite footcite nocite caption section subsection subsubsection
    paragraph subparagraph appendix footnote footnotemark footnotetext emph textbf textit texttt textsc textsf
    textrm textsl textup textmd underline mbox text textnormal textsuperscript textsubscript item par noindent
    indent newline linebreak pagebreak quad qquad enspace thinspace hspace vspace smallskip medskip bigskip
    hfill centering raggedright raggedleft toprule midrule bottomrule cmidrule hline cline multicolumn
    multirow addlinespace includegraphics linewidth textwidth columnwidth ldots dots cdots vdots ddots frac
    dfrac tfrac binom sqrt left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr middle sum prod int
    oint bigcup bigcap lim limsup liminf sup inf max min log ln exp sin cos tan arg det dim ker Pr gcd hat bar
    tilde vec dot ddot widehat widetilde overline overbrace underbrace mathbf mathrm mathit mathsf mathtt
    mathcal mathbb mathfrak boldsymbol operatorname alpha beta gamma delta epsilon varepsilon zeta eta theta
    vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi
    omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega leq le geq ge neq ne approx equiv sim
    simeq cong propto ll gg in notin ni subset supset subseteq supseteq cup cap setminus emptyset forall
    exists neg land lor to gets rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow mapsto
    longrightarrow times cdot pm mp div ast star circ bullet oplus otimes partial nabla infty prime ell Re Im
    angle mid parallel perp langle rangle lceil rceil lfloor rfloor lvert rvert lVert rVert tag nonumber notag
    intertext displaystyle textstyle scriptstyle mathop limits nolimits stackrel overset underset substack
    LaTeX TeX textbackslash textasciitilde textasciicircum textbar textless textgreater textendash textemdash
    textquoteleft textquoteright dag ddag S P copyright pounds ss ae oe aa AE OE AA o O l L i j enquote num
    qty unit SI si ang url href title author date maketitle tableofcontents and thanks
    """.split()
) | frozenset("\\" + mark for mark in "\\ %&_#${},;:!/-|()[]'`\"^~=.@\n")
"""Plain document commands: they set text and change the meaning of nothing."""

_CODES = {
    "silence": """batchmode nonstopmode scrollmode errorstopmode interactionmode hbadness vbadness hfuzz vfuzz
        WarningFilter WarningsOff ActivateWarningFilters ErrorFilter ErrorsOff sloppy pdfsuppresswarningdupdest
        PackageWarning PackageWarningNoLine PackageError ClassError GenericError GenericWarning errmessage
        @latex@error @latex@warning tracingonline errorcontextlines""",
    "redefine": "catcode lccode uccode mathcode active csname expandafter makeatletter AtBeginDocument AddToHook "
    "AtEndDocument everypar everymath everyjob patchcmd apptocmd pretocmd renewcommand RenewDocumentCommand",
    "alias": "let futurelet providecommand",
    "invent-label": """setcounter addtocounter stepcounter refstepcounter bibitem newcounter counterwithin
        @currentlabel phantomsection""",
    "hide": "iffalse iftrue fi else endinput excludecomment includecomment newif if ifx ifnum",
    "escape": """write18 openin read pdffiledump pdfmdfivesum pdffilesize pdffilemoddate input@path directlua
        InputIfFileExists IfFileExists jobname ShellEscape inputminted currfilename""",
    "forge": """write openout closeout immediate @auxout protected@write nofiles newlabel bibcite
        @mainaux @partaux pdfdraftmode pdfoutput filecontents AtVeryEndDocument @@end stop""",
    "spoof": """pdfliteral special pdfglyphtounicode pdfgentounicode textcolor color transparent pdfobj pdfrefobj
        pdfextension BeginAccSupp EndAccSupp phantom hphantom vphantom smash llap rlap clap raisebox scalebox
        resizebox fontsize tiny""",
    "swap": "includepdf pdfximage pdfrefximage",
}
CODES = {rf"\{word}": code for code, words in _CODES.items() for word in words.split()}
"""Control sequence → the red line that one more of it than the paper had crosses."""

DEFINERS = frozenset(
    rf"\{word}"
    for word in """
    def edef gdef xdef newcommand newenvironment renewenvironment newtheorem DeclareMathOperator
    DeclareRobustCommand NewDocumentCommand NewDocumentEnvironment ProvideDocumentCommand newlength setlength
    addtolength usepackage RequirePackage PassOptionsToPackage PassOptionsToClass documentclass input include
    includeonly global long outer definecolor crefname Crefname bibliography bibliographystyle addbibresource
    newsavebox sbox usebox newbox
    """.split()
)
"""What changes meanings without crossing a red line by itself: no more of it than the paper had."""

PROTECTED_NAMES = frozenset(
    """ref eqref pageref autoref cref Cref label cite citet citep parencite textcite autocite caption section subsection
    subsubsection paragraph chapter figure table equation align item footnote includegraphics bibliography document
    begin end thefigure thetable theequation thesection""".split()
)
"""Commands and environments that a repair never gives a new meaning."""

REFERENCES = "(?:ref|eqref|pageref|autoref|nameref|cref|Cref|crefrange|Crefrange|vref|Vref|labelcref|subref)"
CITATIONS = "(?:cite[a-z]*|Cite[a-z]*|parencite|Parencite|textcite|Textcite|autocite|Autocite|footcite|nocite)"
